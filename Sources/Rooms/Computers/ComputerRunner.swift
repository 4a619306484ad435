import Cryptography
import Games
import JSON
import RoomRules
import Synchronization

/// Runs computer players, on threads of its own or in a test's script. Each computer gets its tasks in the order in
/// which they were posted.
public protocol ComputerRunner: AnyObject, Sendable {
    func post(_ task: ComputerTask, for computer: ComputerID)
}

/// A computer player of one room and game.
public struct ComputerID: Hashable, Sendable {
    public let room: String
    public let seat: Seat
    /// Differs for each hiring.
    let hiring: Int
}

/// A task for a computer player.
public enum ComputerTask: Sendable {
    case hire(level: String, seed: Digest, game: String, start: GameStarted, at: Milliseconds)
    /// What every player has been shown.
    case see([SeenEvent])
    /// `hand` is its own, after all that it has seen. The answer goes to `inbox`, unless the request was stopped.
    case move(MoveRequest, hand: Fields?, inbox: any ComputerReplyInbox)
    case dismiss
}

public struct SeenEvent: Sendable {
    let event: RoomEvent
    let time: Milliseconds
}

/// Asks for a move at one version of the room. Its sender may stop it.
public final class MoveRequest: Sendable {
    let version: Int
    private let stopped = Atomic<Bool>(false)

    init(version: Int) { self.version = version }

    var isStopped: Bool { stopped.load(ordering: .relaxed) }
    public func stop() { stopped.store(true, ordering: .relaxed) }
}

/// The move of a computer player.
public struct ComputerReply: Equatable, Sendable {
    public let computer: ComputerID
    /// The room's version when it was asked.
    let version: Int
    /// Nil if it found no move.
    let command: GameStep?
}

/// Receives replies on the room's loop. Called on any thread.
public protocol ComputerReplyInbox: AnyObject, Sendable {
    func deliver(_ reply: ComputerReply)
}

public struct ComputerTable: Sendable {
    let games: GameCatalog
    private var computers: [ComputerID: any SeatedComputer] = [:]

    public init(games: GameCatalog) { self.games = games }

    public mutating func run(_ task: ComputerTask, for id: ComputerID) {
        switch task {
        case .hire(let level, let seed, let game, let start, let time):
            computers[id] = games.game(named: game)?.computer(
                level: level, seat: id.seat, seed: seed, options: start.options, fields: start.gameFields,
                players: start.players.map(\.seat), first: start.first, at: time)
        case .see(let events):
            for seen in events { computers[id]?.see(seen) }
        case .move(let request, let hand, let inbox):
            let command = computers[id]?.move(hand: hand, isStopped: { request.isStopped })
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
