import Cryptography
import EventStore
import Games
import Records
import RoomRules

/// A room's computer players at its home. It hires and dismisses them according to the state, sends them all events,
/// and asks the one whose turn it is. Other threads do the thinking.
final class RoomComputers {
    /// How many times a computer is asked at one version of the room.
    static let attempts = 2

    /// A computer that plays in the running game.
    private struct Hired {
        let id: ComputerID
        let level: String
        /// The version of its `game-started`.
        let game: Int
        /// The running request for a move; nil if there is none.
        var request: MoveRequest?
        /// How many times its move was not possible at version `failedAt`.
        var failures = 0
        var failedAt = 0
        /// While the game so far is read for it: the ticket of that reading, and the events since then.
        var past: (ticket: Ticket, meanwhile: [SeenEvent])?
    }

    private let stream: RoomStream
    private let surroundings: RoomSurroundings
    /// In order of seats.
    private var hired: [Hired] = []
    private var hirings = 0

    init(stream: RoomStream, surroundings: RoomSurroundings) {
        (self.stream, self.surroundings) = (stream, surroundings)
    }

    // MARK: Hiring

    /// After each change, hires and dismisses computers according to the state, and sends them the events.
    func update(_ records: [Record], in home: RoomHome) {
        guard !stream.state.computers.isEmpty || !hired.isEmpty else { return }
        let wanted = wantedLevels
        // A game that was dealt again in one commit is a new game for the computer too.
        dismiss { hired in
            hired.game != stream.state.startVersion
                || !wanted.contains { $0.seat == hired.id.seat && $0.level == hired.level }
        }
        let seen = records.compactMap(SeenEvent.init)
        for index in hired.indices { tell(index, seen) }
        for (seat, level) in wanted where index(of: seat) == nil { hire(seat, level, in: home) }
        hired.sort { $0.id.seat < $1.id.seat }
        ask()
    }

    /// The seats that computers play now, in order.
    private var wantedLevels: [(seat: Seat, level: String)] {
        guard stream.state.phase == .running else { return [] }
        return stream.state.computers.compactMap { seat, level in
            stream.state.playing[seat] == nil ? nil : (seat, level)
        }.sorted { $0.seat < $1.seat }
    }

    private func index(of seat: Seat) -> Int? { hired.firstIndex { $0.id.seat == seat } }

    func dismissAll() { dismiss { _ in true } }

    private func dismiss(where isDismissed: (Hired) -> Bool) {
        for hired in hired where isDismissed(hired) {
            hired.request?.stop()
            surroundings.computers.post(.dismiss, for: hired.id)
        }
        hired.removeAll(where: isDismissed)
    }

    /// A computer that joins in the middle gets the game so far, which is read for it. `home` passes that to `loaded`.
    private func hire(_ seat: Seat, _ level: String, in home: RoomHome) {
        guard let start = stream.state.lastStart, let seed = Digest(bytes: surroundings.random.bytes(Digest.size))
        else { return }
        let (game, version) = (stream.state.startVersion, stream.state.version)
        hirings += 1
        let id = ComputerID(room: stream.state.code, seat: seat, hiring: hirings)
        let ticket = surroundings.log.ticket(for: home)
        hired.append(Hired(id: id, level: level, game: game, past: (ticket, [])))
        surroundings.computers.post(
            .hire(
                level: level, seed: seed, game: stream.state.kind?.name ?? "", start: start,
                at: stream.state.startedAt),
            for: id)
        surroundings.log.load(stream.name, after: game, limit: version - game, ticket: ticket)
    }

    /// The game so far was read for a computer. Returns false if that was dismissed.
    func loaded(_ result: Result<[Record], EventLogError>, ticket: Ticket) -> Bool {
        guard let index = hired.firstIndex(where: { $0.past?.ticket == ticket }), let past = hired[index].past else {
            return false
        }
        hired[index].past = nil
        // Without the past it plays on what it sees from now on, badly but by the rules.
        tell(index, ((try? result.get()) ?? []).compactMap(SeenEvent.init) + past.meanwhile)
        ask()
        return true
    }

    private func tell(_ index: Int, _ seen: [SeenEvent]) {
        guard !seen.isEmpty else { return }
        if hired[index].past != nil {
            hired[index].past?.meanwhile += seen
        } else {
            surroundings.computers.post(.see(seen), for: hired[index].id)
        }
    }

    // MARK: Asking

    /// Asks the computer whose turn it is, once for each version, after the time that people would think.
    func ask() {
        guard let (index, due) = next, due <= stream.now else { return }
        let request = MoveRequest(version: stream.state.version)
        hired[index].request?.stop()
        hired[index].request = request
        surroundings.computers.post(.move(request, inbox: surroundings.replies), for: hired[index].id)
    }

    /// When that computer will be asked; nil if the game waits for none, or it was asked.
    var deadline: Milliseconds? { next?.time }

    /// Whether it is a computer's turn, during which the room does not sleep.
    var isTheirTurn: Bool { stream.state.phase == .running && stream.state.game?.turn.flatMap { index(of: $0) } != nil }

    private var next: (index: Int, time: Milliseconds)? {
        guard !hired.isEmpty, stream.state.phase == .running, let seat = stream.state.game?.turn,
            let index = index(of: seat), hired[index].past == nil,
            hired[index].request?.version != stream.state.version
        else { return nil }
        return (index, stream.state.time + surroundings.limits.thinkTime)
    }

    /// The log may have refused the last answers, so computers are asked again.
    func forgetRequests() { for index in hired.indices { hired[index].request = nil } }

    // MARK: Moves

    /// Passes a computer's move to the home. One for another version is dropped, since the computer was asked again.
    func judge(_ reply: ComputerReply, in home: RoomHome) {
        let seat = reply.computer.seat
        guard let index = index(of: seat), hired[index].id == reply.computer, reply.version == stream.state.version,
            stream.state.game?.turn == seat
        else { return }
        let move = ComputerMove(seat: seat, version: reply.version, isLastResort: false)
        if let command = reply.command {
            if let request = request(command, move) { home.handle(request) }
        } else {
            moveFailed(move, command: nil, code: nil, in: home)
            home.judgeWaiting()
        }
    }

    private func request(_ command: GameStep, _ move: ComputerMove) -> RoomRequest? {
        stream.state.playing[move.seat].map { player in
            RoomRequest(.computer(move, player), .game(command), at: stream.now)
        }
    }

    /// A request was refused with `code`, or changed nothing. A computer's that came too late for its version is asked
    /// for again anyway.
    func requestFailed(_ request: RoomRequest, code: String?, in home: RoomHome) {
        guard let move = request.asker.move, move.version == stream.state.version,
            case .game(let step) = request.command
        else { return }
        guard !move.isLastResort else {
            let reason = "a legal command, `\(step.type)`, is not taken"
            let fault = GameFault(version: move.version + 1, event: nil, reason: reason)
            return home.gameFailed(fault, at: request)
        }
        moveFailed(move, command: step.type, code: code, in: home)
    }

    /// Asks the computer again, and then gives a legal command for it, so that the game continues.
    private func moveFailed(_ move: ComputerMove, command: String?, code: String?, in home: RoomHome) {
        guard let index = index(of: move.seat) else { return }
        surroundings.counters.computerFailures.add(1)
        surroundings.loggers.write(
            .computerFault,
            [
                "room": "\(stream.state.code)", "seat": "\(move.seat.rawValue)", "level": "\(hired[index].level)",
                "command": "\(command ?? "none")", "code": "\(code ?? "none")",
            ])
        hired[index].failures = hired[index].failedAt == move.version ? hired[index].failures + 1 : 1
        hired[index].failedAt = move.version
        guard hired[index].failures < Self.attempts else { return giveLegalCommand(at: move.seat, in: home) }
        hired[index].request = nil
        ask()
    }

    private func giveLegalCommand(at seat: Seat, in home: RoomHome) {
        let version = stream.state.version
        let legal = stream.state.game?.legalSteps(for: seat) ?? []
        guard let seed = Digest(bytes: surroundings.random.bytes(Digest.size)), !legal.isEmpty else {
            let reason = "whose turn it is has no legal command"
            return home.gameFailed(GameFault(version: version + 1, event: nil, reason: reason), at: nil)
        }
        var words = RandomWords(seed: seed)
        let move = ComputerMove(seat: seat, version: version, isLastResort: true)
        // Before all others, since it is for this version.
        if let request = request(legal[words.number(below: legal.count)], move) { home.queue.addFirst(request) }
    }
}

/// A computer's move, made by the computer or in its place.
struct ComputerMove: Equatable, Sendable {
    let seat: Seat
    /// The room's version when it was asked.
    let version: Int
    /// Whether it was picked from the game's legal moves because the computer had none.
    let isLastResort: Bool
}

extension SeenEvent {
    /// Nil for records without an event, which the room does not fold either.
    fileprivate init?(_ record: Record) {
        guard let fields = EventCoding.shownFields(record),
            let event = RoomEvent(type: record.event.type, fields: fields, sealed: nil)
        else { return nil }
        self.init(event: event, time: record.event.time)
    }
}
