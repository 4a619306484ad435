import Cryptography
import EventStore
import Games
import Records
import RoomRules

/// A room's computer players at its home. It hires and dismisses them according to the state, sends them all events,
/// and asks those that the game awaits. Other threads do the thinking. A move that was thought out for an older version
/// is still judged, or a computer would never move in a game in which others are faster.
final class RoomComputers {
    /// How many times a computer is asked at one version of the room.
    static let attempts = 2

    /// A computer that plays in the running game.
    private struct Hired {
        let id: ComputerID
        let level: String
        /// The version of its `game-started`.
        let game: Int
        /// Since when the game has awaited it, without a request; nil if the game does not, or a request is running.
        var idleSince: Milliseconds?
        /// The newest request for a move, until it has been followed by an event; nil if there is none.
        var request: MoveRequest?
        /// Whether `request` was answered. The move waits, or was judged.
        var isAnswered = false
        /// Whether that move was judged. What the log makes of it comes next.
        var isJudged = false
        /// How many times its move was not possible at version `failedAt`.
        var failures = 0
        var failedAt = 0
        /// While the game so far is read for it: the ticket of that reading, and the events since then.
        var past: (ticket: Ticket, meanwhile: [SeenEvent])?

        mutating func forgetRequest() {
            request?.stop()
            (request, isAnswered, isJudged) = (nil, false, false)
        }
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
        noteWhoIsAwaited()
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

    /// A computer that the game has begun to await, or whose move was judged, waits for its next request.
    func noteWhoIsAwaited() {
        let awaited = hired.isEmpty ? [] : stream.state.awaited
        for index in hired.indices {
            guard awaited.contains(hired[index].id.seat) else {
                hired[index].forgetRequest()
                hired[index].idleSince = nil
                continue
            }
            // A move that still waits is judged first. Another request would give the computer two moves at once.
            if hired[index].isJudged, hired[index].request?.version != stream.state.version {
                hired[index].forgetRequest()
            }
            if hired[index].request == nil, hired[index].idleSince == nil {
                hired[index].idleSince = stream.state.time
            }
        }
    }

    /// Asks the computers that the game awaits, once for each version, after the time that people would think.
    func ask() {
        for index in hired.indices {
            guard let due = due(index), due <= stream.now else { continue }
            let request = MoveRequest(version: stream.state.version)
            hired[index].forgetRequest()
            (hired[index].request, hired[index].idleSince) = (request, nil)
            let id = hired[index].id
            let hand = stream.state.hand(of: id.seat)
            surroundings.computers.post(.move(request, hand: hand, inbox: surroundings.replies), for: id)
        }
    }

    /// When the next computer will be asked; nil if the game awaits none, or all were asked.
    var deadline: Milliseconds? { hired.indices.reduce(nil) { earlier($0, due($1)) } }

    /// Whether the game awaits a computer. Then the room does not sleep.
    var areAwaited: Bool { !hired.isEmpty && stream.state.awaited.contains { index(of: $0) != nil } }

    private func due(_ index: Int) -> Milliseconds? {
        guard hired[index].past == nil, let since = hired[index].idleSince else { return nil }
        return since + surroundings.limits.thinkTime
    }

    /// The log may have refused the last answers, so these computers are asked again, after a pause. A move that is on
    /// its way to the log is not forgotten.
    func forgetRequests(in home: RoomHome) {
        for index in hired.indices where hired[index].isAnswered && !(hired[index].isJudged && home.writer.isUnderWay) {
            hired[index].forgetRequest()
            hired[index].idleSince = stream.now
        }
        noteWhoIsAwaited()
    }

    // MARK: Moves

    /// Passes a computer's move to the home. One that was not asked for, or no longer is, is dropped.
    func judge(_ reply: ComputerReply, in home: RoomHome) {
        let seat = reply.computer.seat
        guard let index = index(of: seat), hired[index].id == reply.computer, !hired[index].isAnswered,
            reply.version == hired[index].request?.version
        else { return }
        hired[index].isAnswered = true
        let move = ComputerMove(seat: seat, version: reply.version, isLastResort: false)
        if let command = reply.command {
            if let request = request(command, move) { home.handle(request) }
        } else if move.version == stream.state.version {
            moveFailed(move, command: nil, code: nil, in: home)
            home.judgeWaiting()
        } else {
            askAgain(move)
        }
    }

    /// Whether the move is judged, which is now. It is dropped if the computer no longer has the seat, or no longer has
    /// the request that it answers.
    func isToJudge(_ move: ComputerMove) -> Bool {
        guard let index = index(of: move.seat), hired[index].request?.version == move.version else { return false }
        (hired[index].isAnswered, hired[index].isJudged) = (true, true)
        return true
    }

    private func request(_ command: GameStep, _ move: ComputerMove) -> RoomRequest? {
        stream.state.playing[move.seat].map { player in
            RoomRequest(.computer(move, player), .game(command), at: stream.now)
        }
    }

    /// A request was refused with `code`, or changed nothing. A computer whose move came too late is asked again.
    func requestFailed(_ request: RoomRequest, code: String?, in home: RoomHome) {
        guard let move = request.asker.move, case .game(let step) = request.command else { return }
        guard move.version == stream.state.version else { return askAgain(move) }
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
        askAgain(move)
    }

    /// At once: it has had its time to think.
    private func askAgain(_ move: ComputerMove) {
        guard let index = index(of: move.seat), hired[index].request?.version == move.version else { return }
        hired[index].forgetRequest()
        hired[index].idleSince = stream.state.time - surroundings.limits.thinkTime
        ask()
    }

    private func giveLegalCommand(at seat: Seat, in home: RoomHome) {
        let version = stream.state.version
        let legal = stream.state.game?.legalSteps(for: seat) ?? []
        guard let seed = Digest(bytes: surroundings.random.bytes(Digest.size)), !legal.isEmpty else {
            let reason = "a seat that is awaited has no legal command"
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
