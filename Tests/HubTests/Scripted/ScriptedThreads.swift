import EventStore
import Games
import Synchronization

@testable import Hub
@testable import RoomRules
@testable import Rooms

// The work of a hub's other threads, on the test's thread.

/// Messages of other threads to a shard.
final class ScriptedInbox: Sendable {
    private let messages = Mutex<[ShardMessage]>([])
    var isEmpty: Bool { messages.withLock(\.isEmpty) }
    func post(_ message: ShardMessage) { messages.withLock { $0.append(message) } }
    func take() -> [ShardMessage] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// The answers to appends that a test makes itself.
final class AppendAnswers: LogInbox {
    private let answers = Mutex<[AppendAnswer]>([])

    func deliver(_ messages: [LogMessage]) {
        for case .settled(_, let answer) in messages { answers.withLock { $0.append(answer) } }
    }

    var last: AppendAnswer? { answers.withLock { $0.last } }
}

/// Computer players that think at once, on the test's thread.
final class ScriptedComputers: ComputerRunner {
    private let table: Mutex<ComputerTable>
    private let posts = Mutex<[String]>([])

    init(games: GameCatalog) { table = Mutex(ComputerTable(games: games)) }

    /// What computers were told, in order: `hire 1`, `see 1`.
    var posted: [String] { posts.withLock { $0 } }

    func post(_ task: ComputerTask, for computer: ComputerID) {
        let word =
            switch task {
            case .hire: "hire"
            case .see: "see"
            case .move: "move"
            case .dismiss: "dismiss"
            }
        posts.withLock { $0.append("\(word) \(computer.seat.rawValue)") }
        table.withLock { $0.run(task, for: computer) }
    }
}
