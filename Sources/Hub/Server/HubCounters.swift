import Synchronization

/// A number that any thread may add to and read.
final class Counter: Sendable {
    /// What it is called in `/metrics`; nil: it is no figure of its own.
    let metric: Metric?
    private let number = Atomic<Int>(0)

    init(_ metric: Metric? = nil) { self.metric = metric }

    func add(_ amount: Int) { number.add(amount, ordering: .relaxed) }
    func set(_ amount: Int) { number.store(amount, ordering: .relaxed) }
    var value: Int { number.load(ordering: .relaxed) }
}

/// What one shard counts, for `/metrics`: a counter that bears a metric is told there, with no other line about it.
final class HubCounters: Sendable {
    let members = Counter(.gauge("members", "Connections in rooms."))
    let lobby = Counter(.gauge("lobby_members", "Connections in the lobby."))
    let rooms = Counter(.gauge("rooms_awake", "Rooms that are awake."))
    let messages = Counter(.counter("messages_total", "Messages from members."))
    let events = Counter(.counter("events_total", "Events that rooms have folded."))
    let refusals = Counter(.counter("refusals_total", "Messages and commands that were refused."))
    let requests = Counter(.counter("http_requests_total", "HTTP requests."))
    let proxyHeaderFaults = Counter(
        .counter("proxy_header_faults_total", "Connections of trusted proxies that were cut for a bad PROXY header."))
    let gameFaults = Counter(.counter("game_faults_total", "Times that a game did what cannot be recorded."))
    /// Commands of computer players that could not be done, and questions that they did not answer.
    let computerFailures = Counter(
        .counter("computer_failures_total", "Times that a computer player gave no command that can be done."))
    let stalls = Counter(.counter("loop_stalls_total", "Times that an event loop stood still for over 1 s."))
    /// The newest turn, in hub time, in which the shard's rooms could be played.
    let lastPlayed = Counter()
    /// 1 from the moment at which the log stops taking writes until play goes on.
    let logIsDown = Counter()

    /// Those that are told, in the order above.
    var told: [Counter] {
        Mirror(reflecting: self).children.compactMap { $0.value as? Counter }.filter { $0.metric != nil }
    }
}
