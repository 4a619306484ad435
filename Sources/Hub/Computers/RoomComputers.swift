import Cryptography
import EventStore
import Games
import Records
import RoomRules

/// The computer players of a room, as far as its home knows them: hires and dismisses them as the state says, tells
/// them what has happened, and asks the one whose move it is. What they think of is the threads' affair.
final class RoomComputers {
    /// How often a computer is asked at one version of the room.
    static let attempts = 2

    /// One that has been hired for the running game.
    private struct Hired {
        let id: ComputerID
        let level: String
        /// The version of the `game-started` that it plays.
        let game: Int
        /// What it was told that it is its move; nil if it was not asked, or has answered.
        var request: MoveRequest?
        /// How often it gave nothing that could be done at version `failedAt`.
        var failures = 0
        var failedAt = 0
        /// While the game so far is read for it: which answer that is, and what happens meanwhile.
        var past: (ticket: Ticket, meanwhile: [SeenEvent])?
    }

    private let stream: RoomStream
    private let surroundings: RoomSurroundings
    /// In the order of their seats.
    private var hired: [Hired] = []
    private var hirings = 0

    init(stream: RoomStream, surroundings: RoomSurroundings) {
        (self.stream, self.surroundings) = (stream, surroundings)
    }

    // MARK: Hiring

    /// After each change: hires and dismisses computers as the state says, and tells them what has happened. What has
    /// to be read for them is answered to `client`, as `loaded` needs it.
    func update(_ records: [Record], answering client: any LogClient) {
        guard !stream.state.computers.isEmpty || !hired.isEmpty else { return }
        let wanted = wantedLevels
        // A game that was dealt again in one commit is another game for the computer, too.
        dismiss { hired in
            hired.game != stream.state.startVersion
                || !wanted.contains { $0.seat == hired.id.seat && $0.level == hired.level }
        }
        let seen = records.compactMap(SeenEvent.init)
        for index in hired.indices { tell(index, seen) }
        for (seat, level) in wanted where index(of: seat) == nil { hire(seat, level, answering: client) }
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

    /// A computer that begins in the middle is told the game so far.
    private func hire(_ seat: Seat, _ level: String, answering client: any LogClient) {
        guard let start = stream.state.lastStart, let seed = Digest(bytes: surroundings.random.bytes(Digest.size))
        else { return }
        let (game, version) = (stream.state.startVersion, stream.state.version)
        hirings += 1
        let id = ComputerID(room: stream.state.code, seat: seat, hiring: hirings)
        let ticket = surroundings.ticket(for: client)
        hired.append(Hired(id: id, level: level, game: game, past: (ticket, [])))
        surroundings.computers.post(
            .hire(
                level: level, seed: seed, game: stream.state.kind?.name ?? "", start: start,
                at: stream.state.startedAt),
            for: id)
        surroundings.log.load(
            stream.name, after: game, limit: version - game, ticket: ticket, answer: surroundings.inbox)
    }

    /// The game so far, read for one of them: false if it was dismissed meanwhile.
    func loaded(_ result: Result<[Record], EventLogError>, ticket: Ticket) -> Bool {
        guard let index = hired.firstIndex(where: { $0.past?.ticket == ticket }), let past = hired[index].past else {
            return false
        }
        hired[index].past = nil
        // Without its past it plays on what it sees from now on: badly, but by the rules.
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

    /// The computer whose move it is is asked, once for each version, when people would have thought for long enough.
    func ask() {
        guard let (index, due) = next, due <= stream.now else { return }
        let request = MoveRequest(version: stream.state.version)
        hired[index].request?.stop()
        hired[index].request = request
        surroundings.computers.post(.move(request, inbox: surroundings.replies), for: hired[index].id)
    }

    /// When the computer whose move it is will be asked; nil if the game waits for no computer, or it was asked.
    var deadline: Milliseconds? { next?.time }

    /// Whether a computer is to move: the room does not sleep meanwhile.
    var isTheirTurn: Bool { stream.state.phase == .running && stream.state.game?.turn.flatMap { index(of: $0) } != nil }

    private var next: (index: Int, time: Milliseconds)? {
        guard !hired.isEmpty, stream.state.phase == .running, let seat = stream.state.game?.turn,
            let index = index(of: seat), hired[index].past == nil,
            hired[index].request?.version != stream.state.version
        else { return nil }
        return (index, stream.state.time + surroundings.limits.thinkTime)
    }

    /// Whether this is of the computer whose move it is, at the version that the room has.
    func isAwaited(_ reply: ComputerReply) -> Bool {
        guard let index = index(of: reply.computer.seat) else { return false }
        return hired[index].id == reply.computer && reply.version == stream.state.version
            && stream.state.game?.turn == reply.computer.seat
    }

    /// What was asked may have been answered to a log that took nothing: it is asked again.
    func forgetRequests() { for index in hired.indices { hired[index].request = nil } }

    /// The computer at `seat` gave nothing that can be done: asked again, or false where that was often enough.
    func isAskedAgain(_ seat: Seat, failing command: String?, code: String?) -> Bool {
        guard let index = index(of: seat) else { return true }
        let version = stream.state.version
        surroundings.counters.computerFailures.add(1)
        surroundings.loggers.rooms.warning(
            "a computer player gave no command that can be done",
            metadata: [
                "room": "\(stream.state.code)", "seat": "\(seat.rawValue)", "level": "\(hired[index].level)",
                "command": "\(command ?? "none")", "code": "\(code ?? "none")",
            ])
        hired[index].failures = hired[index].failedAt == version ? hired[index].failures + 1 : 1
        hired[index].failedAt = version
        guard hired[index].failures < Self.attempts else { return false }
        hired[index].request = nil
        ask()
        return true
    }
}

/// Which move of a computer a command is: one that it gives, or that is given for it.
struct ComputerMove: Equatable, Sendable {
    let seat: Seat
    /// Of the room when it was asked.
    let version: Int
    /// Whether it is one that the game says is legal, since the computer had none.
    let isLastResort: Bool
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
