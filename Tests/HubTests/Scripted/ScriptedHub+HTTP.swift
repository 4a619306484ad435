import Cryptography
import Games
import JSON
import Transport
import WebProtocols

@testable import Hub
@testable import RoomRules

// Requests to the hub over HTTP, without sockets.
extension ScriptedHub {
    func request(
        _ method: String, _ target: String, token: String? = nil, body: Fields? = nil, settling: Bool = true,
        from peer: Peer = .at("192.0.2.1"), fields: [String] = []
    ) -> ScriptedResponse {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        for field in fields { head += field + "\r\n" }
        let bytes = body.map { JSONWriter.bytes($0) } ?? []
        head += "Content-Length: \(bytes.count)\r\n\r\n"
        var decoder = RequestDecoder(limits: HTTPLimits())
        var offset = 0
        let whole = Array(head.utf8) + bytes
        let response = ScriptedResponse(peer: peer)
        do {
            guard let request = try decoder.next(whole.span.bytes, at: &offset) else {
                report("half a request")
                return response
            }
            response.number = witness.requested(method, target, token: token, body: bytes)
            response.witness = witness
            api.handle(request, response)
        } catch { report("\(error)") }
        guard settling else { return response }
        settle()
        sent.http.append(response.body)
        return response
    }

    /// As if it had come over a socket.
    func send(_ request: HTTPRequest) -> ScriptedResponse {
        let response = ScriptedResponse(peer: .at("192.0.2.1"))
        api.handle(request, response)
        settle()
        return response
    }

    /// A player who was registered on the hub that `storage` is from.
    func knownPlayer(_ name: String, id: PlayerID) -> ScriptedPlayer {
        ScriptedPlayer(name: name, id: id, token: Self.secret(of: name))
    }

    private static func secret(of name: String) -> String { SHA256.digest(of: "token of " + name).bytes.base64URL }

    /// Registers a player. The token follows from the name.
    func player(_ name: String) -> ScriptedPlayer {
        let token = Self.secret(of: name)
        return ScriptedPlayer(name: name, id: register(name, token).fields["id"]?.string ?? "", token: token)
    }

    /// The answer to registering a name.
    func register(
        _ name: String, _ token: String, settling: Bool = true, from peer: Peer = .at("192.0.2.1")
    ) -> ScriptedResponse {
        let body: Fields = ["name": .string(name), "token": .string(token)]
        return request("POST", "/api/players", body: body, settling: settling, from: peer)
    }

    /// A figure of `/metrics`.
    func metric(_ name: String) -> Int? {
        let lines = String(decoding: request("GET", "/metrics").body, as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix(name + " ") }.flatMap { Int($0.dropFirst(name.count + 1)) }
    }

    /// Opens a room of `host` with these options, and returns its code.
    func open(_ host: ScriptedPlayer, _ options: Fields = ["preset": "classic"], game: String = "memory") -> String {
        let answer = request(
            "POST", "/api/rooms", token: host.token, body: ["game": .string(game), "options": .object(options)])
        if answer.status != 201 { report("a room was not opened: \(answer.fields)") }
        return answer.fields["code"]?.string ?? ""
    }
}
