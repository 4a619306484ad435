import RoomRules
import WebProtocols

// The routes that lead to WebSockets.
extension API {
    /// The WebSocket subprotocol of rooms and of the lobby.
    static let subprotocol = "flipside.v1"

    /// `GET /ws/rooms/{code}`.
    func enterRoom(_ request: RoutedRequest) throws(RequestError) -> Future<Answer> {
        let acceptance = try accept(request.head)
        let code = request.parameter
        let owner = shardIndex(ofRoom: code, count: shard.shards.count)
        return ask(.exists, about: code, from: request.peer)
            .map { _ in .upgrade(acceptance, MessageLimits(), to: owner, for: .room(code: code)) }
    }

    /// `GET /ws/lobby`.
    func enterLobby(_ request: RoutedRequest) throws(RequestError) -> Future<Answer> {
        .value(.upgrade(try accept(request.head), MessageLimits(), to: 0, for: .lobby))
    }

    /// The echo, if the hub's options have one.
    func echo(_ head: RequestHead) throws(RequestError) -> Answer {
        .upgrade(try accept(head, subprotocols: []), .echo, to: shard.index, for: .echo)
    }

    private func accept(
        _ head: RequestHead, subprotocols: [String] = [API.subprotocol]
    ) throws(RequestError) -> Acceptance {
        try options.checkOrigin(of: head)
        do throws(HandshakeRefusal) {
            return try OpeningHandshake.accept(head, subprotocols: subprotocols)
        } catch { throw RequestError(error) }
    }
}

extension MessageLimits {
    /// The largest case of the Autobahn suite, with room to spare.
    static let echo = MessageLimits(frameBytes: 64 << 20, messageBytes: 64 << 20)
}
