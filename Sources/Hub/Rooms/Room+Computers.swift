import Cryptography
import EventStore
import Games

/// The computer players of a room, as far as the room knows them: what they think of is the threads' affair.
struct RoomComputers {
    /// One that has been hired for the running game.
    struct Hired {
        let id: ComputerID
        let level: String
        /// The version of the `game-started` that it plays.
        let game: Int
        /// What it was told that it is its move; nil if it was not asked, or has answered.
        var question: Question?
        /// While the game so far is read for it: what happens meanwhile.
        var held: [SeenEvent]?
    }

    var hired: [Seat: Hired] = [:]
    var hirings = 0
    /// For whom the game so far is being read.
    var loading: [Ticket: ComputerID] = [:]

    /// What was asked may have been answered to a log that took nothing: it is asked again.
    mutating func forgetQuestions() { for seat in hired.keys { hired[seat]?.question = nil } }
}

extension Room {
    /// After each change: hires and dismisses computers as the state says, and tells them what has happened.
    func updateComputers(_ records: [Record]) {
        guard !state.computers.isEmpty || !computers.hired.isEmpty else { return }
        let wanted = state.phase == .running ? state.computers.filter { state.playing[$0.key] != nil } : [:]
        // A game that was dealt again in one commit is another game for the computer, too.
        for (seat, hired) in computers.hired where wanted[seat] != hired.level || hired.game != state.startVersion {
            dismiss(seat)
        }
        let seen = records.compactMap(SeenEvent.init)
        for seat in computers.hired.keys { tell(seat, seen) }
        for (seat, level) in wanted where computers.hired[seat] == nil { hire(seat, level) }
        askComputer()
    }

    /// The seat's computer is asked, once for each version, when people would have thought for long enough.
    func askComputer() {
        guard let (seat, due) = computerDue, due <= surroundings.now else { return }
        let question = Question(version: state.version)
        guard let id = computers.hired[seat]?.id else { return }
        computers.hired[seat]?.question?.stop()
        computers.hired[seat]?.question = question
        surroundings.thinking.post(.move(question, inbox: surroundings.thoughts), for: id)
    }

    /// When the computer whose move it is will be asked; nil if the game waits for no computer, or it was asked.
    var computerDeadline: Milliseconds? { computerDue?.time }

    /// Whether a computer is to move: the room does not sleep meanwhile.
    var isComputersTurn: Bool { state.phase == .running && state.game?.turn.flatMap { computers.hired[$0] } != nil }

    private var computerDue: (seat: Seat, time: Milliseconds)? {
        guard state.phase == .running, let seat = state.game?.turn, let hired = computers.hired[seat],
            hired.held == nil, hired.question?.version != state.version
        else { return nil }
        return (seat, state.time + surroundings.limits.thinkTime)
    }

    func received(_ thought: Thought) {
        let seat = thought.computer.seat
        // Of another version: it has been asked anew.
        guard let hired = computers.hired[seat], hired.id == thought.computer, thought.version == state.version,
            let player = state.playing[seat], let command = thought.command
        else { return }
        handle(
            Request(
                commit: "\(Self.ownPrefix)computer/\(seat.rawValue)/\(thought.version)",
                command: .game(type: command.type, fields: command.fields), player: player, time: surroundings.now,
                member: nil, id: "", isComputers: true))
    }

    func dismissComputers() { for seat in computers.hired.keys { dismiss(seat) } }

    private func dismiss(_ seat: Seat) {
        guard let hired = computers.hired.removeValue(forKey: seat) else { return }
        hired.question?.stop()
        surroundings.thinking.post(.dismiss, for: hired.id)
    }

    /// A computer that begins in the middle is told the game so far.
    private func hire(_ seat: Seat, _ level: String) {
        guard let start = state.lastStart, let seed = Digest(bytes: surroundings.random.bytes(Digest.size)) else {
            return
        }
        computers.hirings += 1
        let id = ComputerID(room: code, seat: seat, hiring: computers.hirings)
        computers.hired[seat] = RoomComputers.Hired(id: id, level: level, game: state.startVersion, held: [])
        surroundings.thinking.post(
            .hire(level: level, seed: seed, game: state.kind?.name ?? "", start: start, at: state.startedAt), for: id)
        let ticket = surroundings.ticket(for: self)
        computers.loading[ticket] = id
        surroundings.log.load(
            stream, after: state.startVersion, limit: state.version - state.startVersion, ticket: ticket,
            answer: surroundings.inbox)
    }

    /// The game so far, read for a computer; false if it was read for somebody else.
    func loadedForComputer(_ result: Result<[Record], EventLogError>, ticket: Ticket) -> Bool {
        guard let id = computers.loading.removeValue(forKey: ticket) else { return false }
        surroundings.end(ticket)
        let seat = id.seat
        guard let hired = computers.hired[seat], hired.id == id, let held = hired.held else { return true }
        computers.hired[seat]?.held = nil
        // Without its past it plays on what it sees from now on: badly, but by the rules.
        tell(seat, ((try? result.get()) ?? []).compactMap(SeenEvent.init) + held)
        askComputer()
        armTimer()
        return true
    }

    private func tell(_ seat: Seat, _ seen: [SeenEvent]) {
        guard let hired = computers.hired[seat], !seen.isEmpty else { return }
        if hired.held != nil {
            computers.hired[seat]?.held? += seen
        } else {
            surroundings.thinking.post(.see(seen), for: hired.id)
        }
    }
}

extension SeenEvent {
    /// Nil of records that are no event: the room has not folded them either.
    fileprivate init?(_ record: Record) {
        guard let fields = EventCoding.shownFields(record),
            let event = RoomEvent(type: record.event.type, fields: fields, sealed: nil)
        else { return nil }
        self.init(event: event, time: record.event.time)
    }
}
