import Games
import WebProtocols

/// Somebody who looks at the list of rooms: one connection.
final class LobbyMember {
    private let channel: any MemberChannel
    private let surroundings: RoomSurroundings
    private var allowance = Allowance()
    private var behindSince: Milliseconds?
    /// The newest answer that a member who is behind is owed: who asks again and again and does not read gets one.
    private var owed: Frame?
    private var isClosed = false

    init(channel: any MemberChannel, surroundings: RoomSurroundings) {
        (self.channel, self.surroundings) = (channel, surroundings)
    }

    /// Throws where this message comes too fast.
    func takeMessage() throws(Rejection) { try allowance.takeMessage(surroundings) }

    /// Answers a message that came too fast; closes where there are far too many.
    func refuse(_ rejection: Rejection) {
        guard allowance.refuse(surroundings) else { return close(.policyViolation, "you are sending far too fast") }
        answer(HubMessage.error(nil, rejection), now: surroundings.now)
    }

    /// The whole list.
    func send(_ list: Frame) { if !isClosed { channel.send(list) } }

    /// One change of the list: skipped by a member that is behind, since the whole list will stand for it.
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

    /// Something for this member alone.
    func answer(_ frame: Frame, now: Milliseconds) {
        guard !isClosed else { return }
        if behindSince == nil, !hasRoom(for: frame) { fallBehind(now: now) }
        if behindSince == nil { channel.send(frame) } else { owed = frame }
    }

    /// Sends the whole `list` once the socket has taken all that was queued; closes who is behind for too long.
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
