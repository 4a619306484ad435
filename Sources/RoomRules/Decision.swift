import Cryptography
import Games
import JSON
import Records

/// What a command, the clock or somebody's absence leads to: events, and the state that they make. Both are on trial
/// until the log has the events. An object, since a state is large: it is copied once, and taken over by a swap.
public final class Decision {
    /// Behind `events`.
    public private(set) var state: RoomState
    private(set) var events: [RoomEvent] = []
    /// `events` as the log is given them; none before `write`.
    public private(set) var written: [Event] = []
    /// What the game did that no log can hold: then nothing of this is recorded.
    private(set) var fault: GameFault?
    public let context: DecisionContext

    public init(on state: RoomState, _ context: DecisionContext) { (self.state, self.context) = (state, context) }

    public var isEmpty: Bool { events.isEmpty && fault == nil }

    public func add(_ event: RoomEvent) {
        guard fault == nil else { return }
        // The one error is a game that there is not: of a room's first event, which is no decision.
        guard (try? state.apply(event, at: context.now)) == true else {
            return fail(event.type, "does not follow from what happened before")
        }
        events.append(event)
    }

    public func add(_ event: some OwnEvent) { add(.own(event)) }
    public func add(_ events: [RoomEvent]) { for event in events { add(event) } }
    func add(_ steps: [GameStep]) { for step in steps { add(.game(step)) } }

    /// `event` is what would have come next; nil where the fault is that nothing does.
    func fail(_ event: String?, _ reason: String) {
        if fault == nil { fault = GameFault(version: state.version + 1, event: event, reason: reason) }
    }

    /// The events as the log will hold them, for `written`: one commit. Each is read back: what would not say what was
    /// meant is a fault, such as a game's event that is called as one of the room's own. Since each is what `state` has
    /// folded, `state` is the fold of these very bytes.
    public func write() throws(GameFault) {
        if let fault { throw fault }
        var encoded: [Event] = []
        encoded.reserveCapacity(events.count)
        for (index, event) in events.enumerated() {
            let version = state.version - events.count + 1 + index
            let more = index < events.count - 1
            let written = EventCoding.encode(event, version: version, at: context.now, more: more)
            guard EventCoding.isFaithful(written, to: event, version: version, more: more) else {
                throw GameFault(version: version, event: event.type, reason: "reads otherwise than it was meant")
            }
            encoded.append(written)
        }
        written = encoded
    }

    /// Where `records` begin with `written`, the very bytes at the very versions: `state` becomes what they make of it,
    /// and this is of no use any more. How many they are; nil where they are something else.
    public func take(over state: inout RoomState, if records: ArraySlice<Record>) -> Int? {
        let base = self.state.version - events.count
        guard state.version == base, records.count >= written.count else { return nil }
        var head: Digest?
        for (index, (event, record)) in zip(written, records).enumerated() {
            guard record.version == base + 1 + index, record.event == event else { return nil }
            head = record.hash
        }
        guard let head else { return nil }
        swap(&state, &self.state)
        state.settle(head: head)
        return written.count
    }
}

/// What a game did that no log can hold. Nothing of it is recorded, and the game ends.
public struct GameFault: Error, Equatable {
    /// What the event's would have been.
    public let version: Int
    /// The event's type; nil where the fault is that there is none.
    public let event: String?
    /// What is wrong with the event, for the hub's log.
    public let reason: String

    public init(version: Int, event: String?, reason: String) {
        (self.version, self.event, self.reason) = (version, event, reason)
    }
}

// The end of a game, which may come with any event.
extension Decision {
    /// The end of the game, if what is decided leads to it: in the same commit, so that nobody ever sees a game that is
    /// over but not ended.
    func endIfOver() {
        guard fault == nil, !events.isEmpty, state.phase == .running, let outcome = state.game?.outcome else { return }
        end(.game(outcome.reason), outcome.results)
    }

    /// The end of the running game, and the next. Whoever began this one begins that, too: it is the same game, dealt
    /// again. Where it cannot be, it has ended.
    func restart() {
        guard state.phase == .running, let game = state.game else { return }
        // A game that nobody has moved in is nobody's to be recorded.
        end(.restart, game.hasMoves ? game.results(at: context.now) : [])
        do { try start(state.seats.keys.sorted(), first: state.first) } catch { return }
    }

    /// The end of the room, and before it that of a running game.
    public func close() {
        guard state.phase == .running, let game = state.game else { return add(RoomClosed(reveal: state.reveal)) }
        // No next game will come, so there is no next seed to commit to.
        end(.closed, game.results(at: context.now), isLast: true)
        add(RoomClosed(reveal: nil))
    }

    /// The end of a game that nobody plays any more, as it stands.
    public func desert() {
        guard state.phase == .running, let game = state.game else { return }
        end(.game(.left), game.results(at: context.now))
    }

    /// The end of a game that runs, or is being dealt, by its own fault: nothing of it counts.
    public func endByFault() {
        let name = state.kind?.name ?? ""
        let played = state.played ?? PlayedGame(name: name, mode: "", number: state.gameNumber + 1)
        add(GameEnded(game: played, reason: .fault, results: [], reveal: state.reveal, seed: nextSeed))
    }

    private func end(_ reason: GameEndReason, _ results: [PlayerResult], isLast: Bool = false) {
        // What another's giving up or running out of time decides is decided, wherever this player is.
        let hasMoves = state.game?.hasMoves ?? false
        let results = reason == .game(.finished) ? results.map { state.leftIfAbsent($0, context) } : results
        guard let played = state.played, let results = state.named(results) else {
            return fail(GameEnded.type, "has results of who does not play")
        }
        add(
            GameEnded(
                game: played, reason: reason, results: results, isUnplayed: !reason.isUndecided && !hasMoves,
                reveal: state.reveal, seed: isLast ? nil : nextSeed))
    }

    private var nextSeed: ServerSeed? { state.seed.map { _ in .known(context.random.bytes(Digest.size)) } }
}

extension Rejection {
    public static func gameFault(_ fault: GameFault) -> Rejection {
        var values: Fields = ["version": .integer(fault.version)]
        values["event"] = fault.event.map { .string($0) }
        return Rejection(
            "game-fault", "The game has an error: this could not be recorded, and a running game has ended.",
            values: values)
    }
}
