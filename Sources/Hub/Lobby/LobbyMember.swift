import Games
import WebProtocols

/// Somebody who looks at the list of rooms: one connection.
final class LobbyMember {
    private let channel: any MemberChannel
    private var allowance = Allowance()
    private var behindSince: Milliseconds?
    /// The newest answer that a member who is behind is owed: who asks again and again and does not read gets one.
    private var owed: Frame?
    private var isClosed = false

    init(channel: any MemberChannel) { self.channel = channel }

    var isBehind: Bool { behindSince != nil && !isClosed }

    /// Throws where this message comes too fast.
    func takeMessage(_ limits: HubLimits, now: Milliseconds) throws(Rejection) {
        try allowance.takeMessage(limits, now: now)
    }

    /// Answers a message that came too fast; closes where there are far too many.
    func refuse(_ rejection: Rejection, _ limits: HubLimits, now: Milliseconds) {
        guard allowance.refuse(limits, now: now) else { return close(.policyViolation, "you send far too fast") }
        answer(HubMessage.error(nil, rejection), now: now)
    }

    /// The whole list.
    func send(_ list: Frame) { if !isClosed { channel.send(list) } }

    /// One change of the list: skipped by a member that is behind, since the whole list will stand for it.
    func change(_ frame: Frame, now: Milliseconds) {
        guard !isClosed, behindSince == nil else { return }
        guard channel.queuedBytes + frame.bytes.count <= Member.queueLimitBytes else { return behindSince = now }
        channel.send(frame)
    }

    /// Something for this member alone.
    func answer(_ frame: Frame, now: Milliseconds) {
        guard !isClosed else { return }
        if behindSince == nil, channel.queuedBytes + frame.bytes.count > Member.queueLimitBytes { behindSince = now }
        if behindSince == nil { channel.send(frame) } else { owed = frame }
    }

    /// Sends the whole `list` once the socket has taken all that was queued; closes who is behind for too long.
    func catchUp(now: Milliseconds, with list: () -> Frame) {
        guard let since = behindSince, !isClosed else { return }
        guard channel.queuedBytes == 0 else {
            if now - since > Member.behindLimit { close(.tryAgainLater, "you were too slow for too long") }
            return
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
