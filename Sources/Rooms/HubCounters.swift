import Games
import Synchronization
import Threads

/// A part of a shard's counters that may be in `/metrics`.
public protocol Counted {
    /// Nil if it is not in `/metrics`.
    var metric: Metric? { get }
    var samples: [Figure.Sample] { get }
}

/// A number that only its shard changes and any thread may read.
public final class MetricCounter: Counted, Sendable {
    /// Nil if it is not in `/metrics`.
    public let metric: Metric?
    private let counter = Counter()

    init(_ metric: Metric? = nil) { self.metric = metric }

    public func add(_ amount: Int = 1) { counter.add(amount) }
    public func set(_ amount: Int) { counter.set(amount) }
    public var value: Int { counter.value }
    public var samples: [Figure.Sample] { [Figure.Sample(label: nil, reading: .number(value))] }
}

/// Times that only its shard adds and any thread may read.
final class MetricHistogram: Counted, Sendable {
    let metric: Metric?
    private let counter = HistogramCounter()

    init(_ metric: Metric) { self.metric = metric }

    func add(_ span: Nanoseconds) { counter.add(span) }
    var value: Histogram { counter.value }
    var samples: [Figure.Sample] { [Figure.Sample(label: nil, reading: .spans(value))] }
}

/// A number for each of several labels, which are all known from the start.
public final class MetricTable: Counted, Sendable {
    public let metric: Metric?
    private let table: CounterTable<String>

    init(_ metric: Metric, _ labels: [String]) {
        self.metric = metric
        table = CounterTable(labels)
    }

    public func add(_ label: String) { table.add(label) }
    subscript(label: String) -> Int { table[label] }
    public var samples: [Figure.Sample] { table.labels.map { Figure.Sample(label: $0, reading: .number(table[$0])) } }
}

/// Refusals by code. Codes are words of the program, as `Rejection` ensures, but are not listed anywhere, so each
/// appears with its first refusal.
public final class RefusalCounter: Counted, Sendable {
    public let metric: Metric?
    private let counts = Mutex<[String: Int]>([:])

    init(_ metric: Metric) { self.metric = metric }

    public func add(_ code: String) { counts.withLock { $0[code, default: 0] += 1 } }
    subscript(code: String) -> Int { counts.withLock { $0[code] ?? 0 } }

    public var samples: [Figure.Sample] {
        counts.withLock { $0 }.sorted { $0.key < $1.key }
            .map { Figure.Sample(label: $0.key, reading: .number($0.value)) }
    }
}

/// A shard's counters for `/metrics`. A counter with a metric appears there by itself.
public final class HubCounters: Sendable {
    public let members = MetricCounter(.gauge("members", "Connections in rooms."))
    public let lobby = MetricCounter(.gauge("lobby_members", "Connections in the lobby."))
    public let rooms = MetricCounter(.gauge("rooms_awake", "Awake rooms."))
    public let events = MetricCounter(.counter("events_total", "Events that rooms have folded."))
    let eventsRead = MetricCounter(
        .counter("events_read_total", "Events that were read to answer for rooms, without waking them."))
    let commands: MetricTable
    public let refusals = RefusalCounter(
        .counter("refusals_total", by: "code", "Refused messages, commands and requests, by code."))
    let limits = MetricTable(HubLimit.metric, HubLimit.allCases.map(\.rawValue))
    let broadcasts = MetricHistogram(
        .histogram(
            "command_broadcast_seconds",
            "From reading a command that wrote events to having sent them to those with a seat in the room."))
    public let fallsBehind = MetricCounter(
        .counter("members_fell_behind_total", "Times that a member read too slowly to be sent everything."))
    public let leftOut = MetricCounter(
        .counter("messages_left_out_total", "Messages left out for a member that was too slow."))
    public let requests = MetricCounter(.counter("http_requests_total", "HTTP requests."))
    public let proxyHeaderFaults = MetricCounter(
        .counter("proxy_header_faults_total", "Connections of trusted proxies that were cut for a bad PROXY header."))
    let gameFaults = MetricCounter(.counter("game_faults_total", "Times that a game did what cannot be recorded."))
    /// Illegal commands of computer players, and requests that they did not answer.
    let computerFailures = MetricCounter(
        .counter("computer_failures_total", "Times that a computer player gave no legal command."))
    public let stalls = MetricCounter(
        .counter("loop_stalls_total", "Times that an event loop was blocked for over 1 s."))
    /// Only on the first shard.
    public let rowLosses = MetricCounter(
        .counter(
            "read_model_losses_total",
            "Times that the read models were damaged or could not be written, and were built again."))
    /// Only on the first shard.
    public let nodes = MetricCounter(
        .gauge("nodes", "Nodes that serve rooms of the log, as this one has read; 0 if the log is not shared."))
    public let lostNodes = MetricCounter(
        .counter("node_losses_total", "Times that a node was declared lost, so that others serve its rooms."))
    public let relayedConnections = MetricCounter(
        .gauge("node_relayed_connections", "Connections here to rooms that have their home on another node."))
    let roomsGivenUp = MetricCounter(
        .counter(
            "node_rooms_given_up_total",
            "Awake rooms that this node gave up, because it was stopped or another had claimed them."))
    public let links = MetricCounter(.gauge("node_links", "Links to other nodes that are up."))
    public let linksMade = MetricCounter(
        .counter("node_links_made_total", "Times that a link to another node was made."))
    public let linkFaults: MetricTable
    public let linkSentMessages = MetricCounter(
        .counter("node_link_sent_messages_total", "Messages that were sent to other nodes."))
    public let linkSentBytes = MetricCounter(
        .counter("node_link_sent_bytes_total", "Bytes of the messages that were sent to other nodes."))
    public let linkSentBroadcasts = MetricCounter(
        .counter(
            "node_link_sent_broadcasts_total",
            "Broadcasts to a room that were sent to a node that relays some of its members."))
    public let linkReceivedMessages = MetricCounter(
        .counter("node_link_received_messages_total", "Messages that came from other nodes."))
    public let linkReceivedBytes = MetricCounter(
        .counter("node_link_received_bytes_total", "Bytes of the messages that came from other nodes."))
    /// The newest turn, in hub time, in which the shard's rooms could be played.
    public let lastPlayed = MetricCounter()
    /// When the loop last turned, in ms since 1970.
    public let lastTurned = MetricCounter()
    /// 1 from the loss of the read models until they are built again.
    public let rowsAreIncomplete = MetricCounter()
    /// 1 from when the log stops taking writes until play continues.
    public let logIsDown = MetricCounter()

    /// `commands` are all that members can ask for, `linkFaults` all reasons for which a link can fail.
    public init(commands: [String], linkFaults: [String]) {
        self.linkFaults = MetricTable(
            .counter(
                "node_link_faults_total", by: "reason", "Times that a link to another node was not made, or was lost."),
            linkFaults)
        self.commands = MetricTable(
            .counter("commands_total", by: "command", "Understood commands of members, by name."),
            commands)
    }

    public func refused(_ rejection: Rejection) { refusals.add(rejection.code) }

    public func hit(_ limit: HubLimit) { limits.add(limit.rawValue) }

    /// The counters in `/metrics`, in the order above.
    public var told: [any Counted] {
        Mirror(reflecting: self).children.compactMap { $0.value as? any Counted }.filter { $0.metric != nil }
    }
}

/// The hub's limits besides the transport's, named as their options or as in `Running.md`.
public enum HubLimit: String, CaseIterable, Sendable {
    case messagesPerSecond = "messages-per-second"
    case commandsPerSecond = "commands-per-second"
    case refusalsPerSecond = "refusals-per-second"
    case hellosPerSecond = "hellos-per-second"
    case linesPerSecond = "lines-per-second"
    case earlyMessages = "early-messages"
    case helloTime = "hello-time"
    case values
    case waitingCommands = "waiting-commands"
    case owedAnswers = "owed-answers"
    case behindTime = "behind-time"
    case membersPerRoom = "members-per-room"
    case lobbyMembers = "lobby-members"
    case awakeRooms = "awake-rooms"
    case roomReadings = "room-readings"
    case roomsPerDay = "rooms-per-day"
    case registrationsPerMinute = "registrations-per-minute"
    case failuresPerMinute = "failures-per-minute"
    case devices = "device-limit"
    case changesPerDay = "changes-per-day"

    /// Counts these limits and the transport's.
    public static let metric = Metric.counter("limits_total", by: "limit", "Times that a limit was passed, by name.")
}
