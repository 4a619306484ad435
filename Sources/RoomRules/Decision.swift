import Cryptography
import Games
import JSON
import Records

/// The result of a command, of the clock or of an absence: events, and the state after them. Both are provisional until
/// the log has the events. It is a class because a state is large. The state is copied once, and swapped into the room.
public final class Decision {
    /// The state after `events`.
    private(set) var state: RoomState
    private(set) var events: [RoomEvent] = []
    private var encoded: [Event] = []
    /// What the game did that the log cannot hold. If set, nothing is recorded.
    private(set) var fault: GameFault?
    /// What it was judged by besides the state.
    public let context: DecisionContext

    /// No events yet.
    public init(on state: RoomState, _ context: DecisionContext) { (self.state, self.context) = (state, context) }

    /// `events` as the log gets them; empty before `write`.
    public var written: [Event] { encoded }
    /// Whether nothing happens, not even a fault.
    public var isEmpty: Bool { events.isEmpty && fault == nil }

    /// A fault if `event` does not fit the state.
    func add(_ event: RoomEvent) {
        guard fault == nil else { return }
        // Only `room-opened` throws, if its game is unknown, and no decision adds it.
        guard (try? state.apply(event, at: context.now)) == true else {
            return fail(event.type, "does not fit the events before it")
        }
        events.append(event)
    }

    /// Adds an event, which must fit the state.
    public func add(_ event: some OwnEvent) { add(.own(event)) }
    /// Adds events, each of which must fit the state after those before it.
    public func add(_ events: [RoomEvent]) { for event in events { add(event) } }
    func add(_ steps: [GameStep]) {
        for var step in steps {
            step.sealed = step.sealed?.salted(with: context.random.bytes(SealedFields.saltSize))
            add(.game(step))
        }
    }

    /// `event` would have come next; nil if the fault is that no event did.
    func fail(_ event: String?, _ reason: String) {
        if fault == nil { fault = GameFault(version: state.version + 1, event: event, reason: reason) }
    }

    /// Encodes the events into `written`, for one commit. Throws if one would read back as something else, such as a
    /// game's event with a name of the room's own. This makes sure that `state` is the fold of exactly these bytes.
    public func write() throws(GameFault) {
        if let fault { throw fault }
        var all: [Event] = []
        all.reserveCapacity(events.count)
        for (index, event) in events.enumerated() {
            let version = state.version - events.count + 1 + index
            let more = index < events.count - 1
            let written = EventCoding.encode(event, version: version, at: context.now, more: more)
            guard EventCoding.isFaithful(written, to: event, version: version, more: more) else {
                throw GameFault(version: version, event: event.type, reason: "reads back as something else")
            }
            all.append(written)
        }
        encoded = all
    }

    /// The type of the first event that a node without `unreadable` cannot read; nil if there is none. `kind` is the
    /// room's game so far.
    public func firstEvent(in unreadable: Set<String>, after kind: (any Game.Type)?) -> String? {
        if let type = encoded.lazy.map(\.type).first(where: unreadable.contains) { return type }
        // It chooses another game.
        guard let new = state.kind, new.name != kind?.name else { return nil }
        return new.eventTypes.first(where: unreadable.contains)
    }

    /// If `records` begin with `written`, with the same bytes and versions, moves the new state into `state` and
    /// returns how many records those are. The decision is then used up. Nil if they are something else.
    public func moveState(into state: inout RoomState, if records: ArraySlice<Record>) -> Int? {
        let base = self.state.version - events.count
        guard state.version == base, records.count >= encoded.count else { return nil }
        var head: Digest?
        for (index, (event, record)) in zip(encoded, records).enumerated() {
            guard record.version == base + 1 + index, record.event == event else { return nil }
            head = record.hash
        }
        guard let head else { return nil }
        swap(&state, &self.state)
        state.settle(head: head)
        return encoded.count
    }
}

/// Something a game did that the log cannot hold. None of it is recorded, and the game ends.
public struct GameFault: Error, Equatable {
    /// The version that the event would have had.
    public let version: Int
    /// The event's type; nil if the fault is that there is no event.
    public let event: String?
    /// What is wrong, for the hub's log lines.
    public let reason: String

    /// For faults that the hub finds itself.
    public init(version: Int, event: String?, reason: String) {
        (self.version, self.event, self.reason) = (version, event, reason)
    }
}

// How games and rooms end. Any event may end a game.
extension Decision {
    /// Ends the game if the events so far decide it. This is in the same commit, so that no one ever sees a game that
    /// is over but not ended.
    func endIfOver() {
        guard fault == nil, !events.isEmpty, state.phase == .running, let outcome = state.game?.outcome else { return }
        endGame(.game(outcome.reason), outcome.results)
    }

    /// Ends the running game and deals it again, with the same seat first. If it cannot be dealt again, it just ends.
    func restart() {
        guard state.phase == .running, let game = state.game else { return }
        // A game that no one has moved in has no results.
        endGame(.restart, game.hasMoves ? game.results(at: context.now) : [])
        do { try start(state.seats.keys.sorted(), first: state.first) } catch { return }
    }

    /// Closes the room, and ends a running game first.
    func close() {
        guard state.phase == .running, let game = state.game else { return add(RoomClosed(reveal: state.reveal)) }
        // There is no next game, whose seed the hub would commit to.
        endGame(.closed, game.results(at: context.now), isLast: true)
        add(RoomClosed(reveal: nil))
    }

    /// Ends a game that no one plays, with the results so far.
    func desert() {
        guard state.phase == .running, let game = state.game else { return }
        endGame(.game(.left), game.results(at: context.now))
    }

    /// Ends a game that runs or is being dealt, because it has a fault. It has no results.
    func endByFault() {
        let name = state.kind?.name ?? ""
        let played = state.played ?? PlayedGame(name: name, mode: "", number: state.gameNumber + 1)
        add(GameEnded(game: played, reason: .fault, results: [], reveal: state.reveal, seed: nextSeed))
    }

    private func endGame(_ reason: GameEndReason, _ results: [PlayerResult], isLast: Bool = false) {
        // If another player gave up or ran out of time, that decides, wherever this player is.
        let hasMoves = state.game?.hasMoves ?? false
        let results = reason == .game(.finished) ? results.map { state.leftIfAbsent($0, context) } : results
        guard let played = state.played, let results = state.named(results) else {
            return fail(GameEnded.type, "has results of seats that do not play")
        }
        add(
            GameEnded(
                game: played, reason: reason, results: results, isUnplayed: !reason.isUndecided && !hasMoves,
                reveal: state.reveal, seed: isLast ? nil : nextSeed))
    }

    private var nextSeed: ServerSeed? { state.seed.map { _ in .known(context.random.bytes(Digest.size)) } }
}

extension Rejection {
    /// For the client whose command met the fault.
    public static func gameFault(_ fault: GameFault) -> Rejection {
        var values: Fields = ["version": .integer(fault.version)]
        values["event"] = fault.event.map { .string($0) }
        return Rejection(
            "game-fault", "The game has an error. This could not be recorded, and a running game has ended.",
            values: values)
    }
}
