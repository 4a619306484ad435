import EventStore
import Games
import Synchronization
import Testing

@testable import Hub

// What other threads do in a hub, on the test's thread.

final class ScriptedInbox: LogInbox {
    private let messages = Mutex<[ShardMessage]>([])
    func deliver(_ batch: [LogMessage]) { messages.withLock { $0.append(.log(batch)) } }
    func deliver(_ answer: ReadModelAnswer) { messages.withLock { $0.append(.readModels(answer)) } }
    func take() -> [ShardMessage] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// Computer players think at once, on the test's thread.
final class ScriptedComputers: ComputerRunner, ComputerReplyInbox {
    private let table: Mutex<ComputerTable>
    private let replies = Mutex<[ComputerReply]>([])
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
    func deliver(_ reply: ComputerReply) { replies.withLock { $0.append(reply) } }
    func take() -> [ComputerReply] {
        replies.withLock { replies in
            defer { replies = [] }
            return replies
        }
    }
}
