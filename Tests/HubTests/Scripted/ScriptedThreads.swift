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

/// Computer players that think at once, on the test's thread. A test may hold back their replies.
final class ScriptedComputers: ComputerRunner {
    private let table: Mutex<ComputerTable>
    private let posts = Mutex<[String]>([])
    private let held = Mutex<[HeldReply]?>(nil)

    init(games: GameCatalog) { table = Mutex(ComputerTable(games: games)) }

    /// What computers were told, in order: `hire 1`, `see 1`.
    var posted: [String] { posts.withLock { $0 } }

    /// From now on no computer has a move until `reply` is called.
    func holdReplies() { held.withLock { $0 = $0 ?? [] } }

    /// Computers give the moves that were held back, in the order in which they were asked.
    func reply() {
        let replies = held.withLock { held in
            defer { held = nil }
            return held ?? []
        }
        for reply in replies { reply.release() }
    }

    func post(_ task: ComputerTask, for computer: ComputerID) {
        let word =
            switch task {
            case .hire: "hire"
            case .see: "see"
            case .move: "move"
            case .dismiss: "dismiss"
            }
        posts.withLock { $0.append("\(word) \(computer.seat.rawValue)") }
        table.withLock { $0.run(heldBack(task), for: computer) }
    }

    /// The task with an inbox that holds back its reply, if replies are held back.
    private func heldBack(_ task: ComputerTask) -> ComputerTask {
        guard case .move(let request, let hand, let inbox) = task else { return task }
        return held.withLock { held in
            guard held != nil else { return task }
            let reply = HeldReply(for: inbox)
            held?.append(reply)
            return .move(request, hand: hand, inbox: reply)
        }
    }
}

/// A computer's reply that is not delivered yet.
private final class HeldReply: ComputerReplyInbox {
    private let inbox: any ComputerReplyInbox
    private let reply = Mutex<ComputerReply?>(nil)

    init(for inbox: any ComputerReplyInbox) { self.inbox = inbox }

    func deliver(_ reply: ComputerReply) { self.reply.withLock { $0 = reply } }
    func release() { if let reply = reply.withLock({ $0 }) { inbox.deliver(reply) } }
}
