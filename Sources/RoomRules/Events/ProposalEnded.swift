import Games
import JSON

/// Nothing came of a proposal. Of one that succeeds the game that follows says so.
public struct ProposalEnded: OwnEvent {
    public static let type = "proposal-ended"

    public enum Reason: String, Sendable {
        /// Somebody said no, or too few said yes.
        case declined
        /// Not all answered in time, or too few said yes by then.
        case expired
        /// By who proposed it; or nobody who wants it is left.
        case withdrawn
    }

    let reason: Reason

    public init(reason: Reason) { self.reason = reason }
}

extension ProposalEnded {
    public var fields: Fields { ["reason": .string(reason.rawValue)] }

    public init?(_ fields: Fields, sealed: [UInt8]?) {
        guard let reason = fields["reason"]?.string.flatMap({ Reason(rawValue: $0) }) else { return nil }
        self.init(reason: reason)
    }

    public func fold(into room: inout RoomState, at time: Milliseconds) -> Bool {
        guard let proposal = room.proposal else { return false }
        room.facts.proposal = nil
        room.facts.proposalPauses = room.proposalPauses.filter { $0.value > time }
        switch (reason, proposal.subject) {
        case (.withdrawn, _): room.facts.proposalPauses[proposal.player] = time &+ Proposal.withdrawalPause
        case (_, .restart): room.facts.proposalPauses[proposal.player] = time &+ Proposal.restartPause
        case (_, .rematch): break
        }
        return true
    }
}
