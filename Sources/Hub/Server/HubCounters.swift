import Synchronization

/// A number that any thread may add to and read.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    func add(_ amount: Int) { number.add(amount, ordering: .relaxed) }
    func set(_ amount: Int) { number.store(amount, ordering: .relaxed) }
    var value: Int { number.load(ordering: .relaxed) }
}

/// What one shard counts, for `/metrics`.
final class HubCounters: Sendable {
    let members = Counter()
    let lobby = Counter()
    let rooms = Counter()
    let messages = Counter()
    let events = Counter()
    let refusals = Counter()
    let requests = Counter()
    /// What games did that no log can hold.
    let gameFaults = Counter()
    /// Commands of computer players that could not be done, and questions that they did not answer.
    let computerFailures = Counter()
    /// The newest turn, in hub time, in which the shard's rooms could be played.
    let lastPlayed = Counter()
    /// Times that the loop stood still for over a second.
    let stalls = Counter()
    /// 1 from the moment at which the log stops taking writes until play goes on.
    let logIsDown = Counter()
}
