import Foundation
import RoomRules
import Rooms
import Synchronization
import Threads

/// Threads for computer players. Their priority is lower than that of event loops, so they never keep those waiting.
public final class ComputerThreads: ComputerRunner {
    private let threads: [ComputerThread]

    public init(count: Int, games: GameCatalog) throws(ThreadError) {
        threads = (0..<max(1, count)).map { ComputerThread(index: $0, games: games) }
        do throws(ThreadError) { for thread in threads { try thread.start() } } catch {
            stop()
            throw error
        }
    }

    /// A computer always uses the same thread, which keeps its tasks in order.
    public func post(_ task: ComputerTask, for computer: ComputerID) {
        let ofRoom = shardIndex(ofRoom: computer.room, count: threads.count)
        threads[(ofRoom + computer.seat.rawValue) % threads.count].post(task, for: computer)
    }

    /// Stops the threads and abandons current searches.
    public func stop() {
        for thread in threads { thread.stop() }
    }
}

/// A thread with its queue, which is bounded by what rooms do: each asks a computer for one move at a time, and sends
/// it each event once.
private final class ComputerThread: Sendable {
    /// The argument of `setpriority`. Loops and the log's writer come first.
    private static let niceness: Int32 = 10
    /// Searching a game tree needs a deep stack.
    private static let stackSizeBytes = 8 << 20

    private struct State {
        /// The current search.
        var request: MoveRequest?
        var isStopped = false
    }

    private let name: String
    private let games: GameCatalog
    private let state = Mutex(State())
    private let tasks = Mailbox<(task: ComputerTask, computer: ComputerID)>(limit: .max)

    init(index: Int, games: GameCatalog) { (name, self.games) = ("computers-\(index)", games) }

    func start() throws(ThreadError) {
        _ = try SystemThread(name, stackSizeBytes: Self.stackSizeBytes) { [self] in run() }
    }

    func post(_ task: ComputerTask, for computer: ComputerID) { tasks.post((task, computer)) }

    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.request?.stop()
        }
        tasks.close()
    }

    private func run() {
        // On Linux this applies only to the calling thread. Without the right to do it only the priority is lost.
        _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
        var table = ComputerTable(games: games)
        while let next = tasks.takeAll() {
            for (task, computer) in next { run(task, for: computer, &table) }
        }
    }

    private func run(_ task: ComputerTask, for computer: ComputerID, _ table: inout ComputerTable) {
        let isStopped = state.withLock { state in
            if case .move(let request, _, _) = task { state.request = request }
            return state.isStopped
        }
        if !isStopped { table.run(task, for: computer) }
        state.withLock { $0.request = nil }
    }
}
