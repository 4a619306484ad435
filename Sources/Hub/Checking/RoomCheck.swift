import Cryptography
import EventStore
import Records
import RoomRules

/// Checks a room's log from its records alone, in order: no version is missing, the hash chain holds, every event
/// follows from those before it, each deck was dealt from the committed seed, and players saw what the fold says.
public struct RoomCheck {
    /// A record's fault.
    public struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
        public let version: Int
        public let description: String
    }

    public let code: String
    /// Records checked so far.
    public var count: Int { chain.version }
    /// Games whose reveal opened the earlier commitment, and whose cards were those of the deck that it deals.
    public private(set) var provenGames = 0
    /// Whether a game is running, whose seed is not revealed yet.
    public var isOpen: Bool { state.phase == .running }
    /// The hash of the last record.
    public var head: Digest { chain.head }

    private var state: RoomState
    private var shownState: RoomState
    private var chain: Chain
    /// The previous record, and whether it says that its commit continues.
    private var before: (record: Record, saysMore: Bool)?

    /// Checks a room that plays one of `games`.
    public init(code: String, games: GameCatalog) {
        self.code = code
        state = RoomState(code: code, games: games)
        shownState = state
        chain = Chain(of: .room(code))
    }

    /// Checks the next record. After it throws, nothing more can be said about the room.
    public mutating func checkRecord(_ record: Record) throws(Fault) {
        guard record.version == count + 1 else {
            throw Fault(version: record.version, description: "version \(count + 1) is missing")
        }
        do throws(EventLogError) { try chain.accept(record) } catch {
            throw fault(record, "its hash does not fit, so it or an earlier one was altered")
        }
        if let before, before.saysMore != (before.record.commit == record.commit) {
            throw fault(record, "the event before it does not say where its commit ends")
        }
        before = (record, EventCoding.saysMore(record))
        let commitments = Commitments(
            commitment: state.seed?.commitment, opened: state.opened,
            seals: state.phase == .running ? shownState.seals : [], isDealt: state.phase == .running)
        try fold(record)
        try checkReveal(record, of: commitments)
        guard state.roomView == shownState.roomView, state.gameView == shownState.gameView else {
            throw fault(record, "what members were shown is not what happened")
        }
    }

    /// No record follows. Throws if the last commit is not complete.
    public func checkEnd() throws(Fault) {
        if let before, before.saysMore { throw fault(before.record, "the rest of its commit is missing") }
    }

    /// Folds the record both with its sealed bytes and without, as members have it. With them the game knows the deck
    /// and accepts no other card.
    private mutating func fold(_ record: Record) throws(Fault) {
        let shown = Record(
            stream: record.stream, version: record.version, position: record.position, commit: record.commit,
            event: Event(time: record.event.time, type: record.event.type, shown: record.event.shown),
            hash: record.hash)
        do throws(RoomState.FoldError) {
            try state.apply(record)
            try shownState.apply(shown)
        } catch { throw fault(record, error.sentence) }
    }

    /// The inputs of a deal, as far as they were known before the game's end.
    private struct Commitments {
        let commitment: Digest?
        let opened: [SeatNonce]
        let seals: [Seal]
        let isDealt: Bool
    }

    private mutating func checkReveal(_ record: Record, of commitments: Commitments) throws(Fault) {
        let revealed: (reveal: Reveal?, isOfAGame: Bool)
        switch EventCoding.decode(record)?.own {
        case let end as GameEnded: revealed = (end.reveal, true)
        case let closed as RoomClosed: revealed = (closed.reveal, false)
        default: return
        }
        guard let reveal = revealed.reveal else {
            guard commitments.seals.isEmpty else { throw fault(record, "what was sealed is not revealed") }
            return
        }
        guard reveal.seed.map({ SHA256.digest(of: $0) }) == commitments.commitment else {
            throw fault(record, "the seed revealed is not the one that was committed to")
        }
        guard revealed.isOfAGame else { return }
        guard reveal.seals.map(\.committed) == commitments.seals else {
            throw fault(record, "what is unsealed is not what was sealed")
        }
        guard reveal.nonces == commitments.opened else {
            throw fault(record, "the nonces revealed are not those that were opened")
        }
        // A game that could not be dealt shows no deck.
        if commitments.isDealt { provenGames += 1 }
    }

    private func fault(_ record: Record, _ sentence: String) -> Fault {
        Fault(version: record.version, description: "\(record.event.type): \(sentence)")
    }
}
