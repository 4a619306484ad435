import Cryptography
import Games
import RoomRules
import Synchronization

/// Where computer players think: threads of their own, or a script in tests. Each computer is told things in the order
/// in which they were posted.
protocol ComputerRunner: AnyObject, Sendable {
    func post(_ task: ComputerTask, for computer: ComputerID)
}

/// A computer player of one room and game.
struct ComputerID: Hashable, Sendable {
    let room: String
    let seat: Seat
    /// Each hiring is another computer.
    let hiring: Int
}

/// What a computer player is told.
enum ComputerTask: Sendable {
    case hire(level: String, seed: Digest, game: String, start: GameStarted, at: Milliseconds)
    /// What everybody has been shown.
    case see([SeenEvent])
    /// Its answer goes into `inbox`, unless it was stopped.
    case move(MoveRequest, inbox: any ComputerReplyInbox)
    case dismiss
}

/// An event of a room as it was shown.
struct SeenEvent: Sendable {
    let event: RoomEvent
    let time: Milliseconds
}

/// "It is your move", at one version of the room. Whoever asked may call it off.
final class MoveRequest: Sendable {
    let version: Int
    private let stopped = Atomic<Bool>(false)

    init(version: Int) { self.version = version }

    var isStopped: Bool { stopped.load(ordering: .relaxed) }
    func stop() { stopped.store(true, ordering: .relaxed) }
}

/// What a computer player has thought of.
struct ComputerReply: Equatable, Sendable {
    let computer: ComputerID
    /// Of the room when it was asked.
    let version: Int
    /// Nil if it found nothing to do.
    let command: GameStep?
}

/// Where replies go: the loop of the room. Called on any thread.
protocol ComputerReplyInbox: AnyObject, Sendable {
    func deliver(_ reply: ComputerReply)
}

/// The computer players of one thread.
struct ComputerTable {
    let games: GameCatalog
    private var computers: [ComputerID: any SeatedComputer] = [:]

    init(games: GameCatalog) { self.games = games }

    mutating func run(_ task: ComputerTask, for id: ComputerID) {
        switch task {
        case .hire(let level, let seed, let game, let start, let time):
            computers[id] = games.game(named: game)?.computer(
                level: level, seat: id.seat, seed: seed, options: start.options, fields: start.gameFields,
                players: start.players.map(\.seat), first: start.first, at: time)
        case .see(let events):
            for seen in events { computers[id]?.see(seen) }
        case .move(let request, let inbox):
            let command = computers[id]?.move(isStopped: { request.isStopped })
            inbox.deliver(ComputerReply(computer: id, version: request.version, command: command))
        case .dismiss: computers[id] = nil
        }
    }
}

extension SeatedComputer {
    fileprivate mutating func see(_ seen: SeenEvent) {
        switch seen.event {
        case .game(let step): see(step, at: seen.time)
        case .own(let leaving as PlayerLeft): seeLeaving(of: leaving.seat, at: seen.time)
        case .own(let extended as ClockExtended): extendClock(by: extended.span)
        case .own: break
        }
    }
}
