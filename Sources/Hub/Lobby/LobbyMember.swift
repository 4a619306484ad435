import Games
import Rooms
import WebProtocols

/// A connection to the list of rooms.
final class LobbyMember: HubConnection {
    private unowned let lobby: Lobby
    private let channel: any MemberChannel
    private let surroundings: RoomSurroundings
    private var allowance = Allowance()
    private var behindSince: Milliseconds?
    /// The newest answer owed to a member that is behind. One that keeps asking without reading gets only this one.
    private var owed: Frame?
    private var isClosed = false

    init(of lobby: Lobby, channel: any MemberChannel, surroundings: RoomSurroundings) {
        (self.lobby, self.channel, self.surroundings) = (lobby, channel, surroundings)
    }

    func messageArrived(_ bytes: RawSpan) { lobby.messageArrived(bytes, from: self) }
    func drained() { lobby.drained(self) }
    func closed() { lobby.closed(self) }

    /// Throws if this message comes too fast.
    func takeMessage() throws(Rejection) { try allowance.takeMessage(surroundings) }

    /// Answers a message that came too fast, or closes if there are far too many.
    func refuse(_ rejection: Rejection) {
        guard allowance.refuse(surroundings) else { return close(.policyViolation, "you are sending far too fast") }
        answer(HubMessage.error(nil, rejection), now: surroundings.now)
    }

    func send(_ list: Frame) { if !isClosed { channel.send(list) } }

    /// Sends one change. A member that is behind skips it, since the whole list will replace it.
    func change(_ frame: Frame, now: Milliseconds) {
        guard !isClosed else { return }
        if behindSince == nil, !hasRoom(for: frame) { fallBehind(now: now) }
        if behindSince == nil { channel.send(frame) } else { surroundings.counters.leftOut.add() }
    }

    private func hasRoom(for frame: Frame) -> Bool {
        channel.queuedBytes + frame.bytes.count <= Member.queueLimitBytes
    }

    private func fallBehind(now: Milliseconds) {
        behindSince = now
        surroundings.counters.fallsBehind.add()
    }

    /// Sends a frame for this member only.
    func answer(_ frame: Frame, now: Milliseconds) {
        guard !isClosed else { return }
        if behindSince == nil, !hasRoom(for: frame) { fallBehind(now: now) }
        if behindSince == nil { channel.send(frame) } else { owed = frame }
    }

    /// Sends the whole `list` once the socket has taken everything queued. Closes a member that is behind for too long.
    func catchUp(now: Milliseconds, with list: () -> Frame) {
        guard let since = behindSince, !isClosed else { return }
        guard channel.queuedBytes == 0 else {
            guard now - since > Member.behindLimit else { return }
            surroundings.counters.hit(.behindTime)
            return close(.tryAgainLater, "you read too slowly for too long")
        }
        behindSince = nil
        channel.send(list())
        if let owed { channel.send(owed) }
        owed = nil
    }

    func close(_ code: CloseCode, _ reason: String) {
        guard !isClosed else { return }
        isClosed = true
        channel.close(code, reason)
    }
}
