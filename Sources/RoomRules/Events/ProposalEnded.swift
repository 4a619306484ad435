import Games
import JSON

/// A proposal failed. If one succeeds, the game that follows shows it.
public struct ProposalEnded: OwnEvent {
    public static let type = "proposal-ended"

    /// Why it failed.
    public enum Reason: String, Sendable {
        /// A player said no, or too few said yes.
        case declined
        /// Time was up before all had answered, or before enough had said yes.
        case expired
        /// The proposer took it back, or no one who agrees is left.
        case withdrawn
    }

    let reason: Reason

    /// For a proposal that the hub ends by itself.
    public init(reason: Reason) { self.reason = reason }

    public var fields: Fields { ["reason": .string(reason.rawValue)] }

    public static func read(_ fields: Fields, sealed: [UInt8]?) -> Self? {
        fields["reason"]?.string.flatMap { Reason(rawValue: $0) }.map { Self(reason: $0) }
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
