import Cryptography
import JSON

/// What all rooms and connections of a hub have in common.
final class ModelContext {
    let findings = Findings()
    private(set) lazy var accounts = AccountsModel(context: self)
    private(set) lazy var openings = OpeningsModel(context: self)
    let results = ResultsModel()
    let secrets = Secrets()
    let rates: MessageRates
    var outages: [Outage] = []
    /// For several hubs.
    var vacant = VacantSpans()
    /// The newest known time of the hub's clock.
    private(set) var now = 0
    /// By a clock that no one sets, in ms; 0 if unknown.
    var uptime = 0
    /// For measuring spans: the clocks of several hubs differ a little, and what one does another may do next.
    var moment: Int { isCluster ? uptime : now }
    /// When something last kept the hub from its work. For a while after that, deadlines may be missed.
    private(set) var hinderedAt = 0
    let hasher = SHA256()
    /// The newest message that several clients may get, and its content.
    private var newest: (bytes: [UInt8], message: Value)?

    init(rates: MessageRates) { self.rates = rates }

    /// The recent commands of each player, on all connections.
    private var commandCounts: [String: LatelySaid] = [:]

    func noteCommand(of player: String) { commandCounts[player, default: LatelySaid()].countMessage(at: now) }

    /// Whether a player may have recorded more than is allowed.
    func mayHaveWrittenTooMuch(_ player: String?) -> Bool {
        player.flatMap { commandCounts[$0]?.count(at: now) } ?? 0 > 10 * rates.commands
    }

    /// In bytes. A shorter message is an answer to a single client.
    private static let sharedSize = 100

    /// The message at `start` of `bytes`, parsed once if it comes several times in a row; nil if it is not JSON.
    func read(_ bytes: [UInt8], from start: Int) -> Value? {
        guard bytes.count > Self.sharedSize else { return Value.read(bytes, from: start) }
        if let newest, newest.bytes.isEnd(of: bytes, from: 0) { return newest.message }
        guard let message = Value.read(bytes, from: start) else { return nil }
        newest = (bytes, message)
        return message
    }

    func timePassed(to time: Int, uptime: Int? = nil) {
        guard time > now else { return }
        // If its clock is ahead of the earlier ones, less time has passed than it seems.
        let isOther = isCluster && uptime.map { time - now > $0 - self.uptime + Self.clockSlack } ?? false
        now = time
        if isOther { hubHindered() }
    }

    /// A hub starts serving while no other does. It does not know what earlier ones have said of the time since their
    /// last record.
    func begins(at time: Int) { now = min(now, time) }

    /// Whether several hubs share the log.
    private(set) var isCluster = false
    var nodes = NodesModel()
    var releases = ReleasesModel()
    /// How far the clocks of several hubs may differ, in ms: the database's answers about the time are late.
    var clockSpread: Int { isCluster ? 2_500 : 0 }
    /// How far the clock of one hub may lag behind that of another that tells the time, in ms.
    var clockLag: Int { isCluster ? Self.clockSlack + clocks.spread : 0 }
    var clocks = NodeClocks()
    /// How far the clock of the shared database was set forward in all, in ms.
    var databaseClockSteps = 0
    /// How long a hub may count players as present who are connected to another one that has died, in ms.
    var ghostTime: Int { isCluster ? 10_000 : 0 }
    /// How far a list may lag behind a room, in ms. One node writes the rows, and the others read them.
    var listSpan: Int { isCluster ? 12_000 : ListCheck.span }
    /// By node, the hub's clock and the unset clock when the serving hub was first heard.
    private var began: [String: (now: Int, uptime: Int)] = [:]

    /// A hub has started. What the previous one said of the time is not in the log, and may be later.
    func hubStarted(at time: Int) { (now, began) = (time, [:]) }

    func nodeBegan(_ node: String) {
        isCluster = true
        clocks.forget(node)
        began[node] = nil
    }

    /// Hub time runs within 1 % of real time. Rounding adds 2 ms.
    func checkClock(_ now: Int, uptime: Int, of node: String) {
        guard let began = began[node] else { return self.began[node] = (now, uptime) }
        let (passed, uncounted) = (uptime - began.uptime, now - began.now - (uptime - began.uptime))
        findings.expect(
            abs(uncounted) <= passed / 100 + 2, "hub time runs within 1 % of real time",
            "\(now - began.now) ms in \(passed) ms")
    }

    /// The time by a serving node's clock.
    func noteClock(_ now: Int, uptime: Int, of node: String) {
        if isCluster { clocks.recordLead(now - uptime, at: uptime, of: node) }
    }

    /// Clocks of working loops differ by less, in ms.
    static let clockSlack = 100

    /// Compares a time that is told or recorded now with the clock. `earliest`: when it was asked for; `lead`: how far
    /// the speaker's clock may be ahead.
    func checkTime(_ time: Int?, from earliest: Int, lead: Int = 0, _ place: @autoclosure () -> String) {
        // What a home has said is late if the socket's node is hindered.
        // One that was frozen while others left the database's old time may still go by that.
        let delay = clockSpread + clocks.spread + (isHindered ? ghostTime : 0)
        let times = min(earliest - Self.clockSlack - delay, now + lead)...(now + lead + clockSpread)
        findings.expect(
            time.map(times.contains) ?? false, "a time is that of the hub's clock",
            "\(place()): \(time.map { "\($0)" } ?? "none"), not in \(times)")
    }

    /// When the database lost its newest records.
    private var wentBackAt: Int?
    /// How long hubs may believe what it held before, in ms.
    private static let forgetting = 15_000
    /// Whether some hub may still believe it.
    var mayKnowLost: Bool { wentBackAt.map { now <= max($0, hinderedAt) + Self.forgetting } ?? false }

    func wentBack() {
        wentBackAt = now
        hubHindered()
    }

    /// Finds what is secret in `text`, which leaves the hub.
    func checkSecrecy(of text: [UInt8]) {
        guard let kind = secrets.find(in: text) else { return }
        findings.recordBreach("no secret leaves the hub", "\(kind), in \(String(decoding: text, as: UTF8.self))")
    }

    func hubHindered() {
        if now - hinderedAt > Self.hindrancePause { hinderedSince = now }
        hinderedAt = now
        if isCluster { vacant.hubHindered(since: hinderedSince, at: now) }
    }

    /// How often a long hindrance is reported, in ms.
    private static let hindrancePause = 2_000
    private(set) var hinderedSince = 0

    /// Whether messages between nodes may be late.
    var isHindered: Bool { isCluster && now - hinderedAt < ghostTime }

    /// Anyone connected at or after this time may still count as present at `time`. Ghosts vanish once nothing hinders.
    func ghosts(at time: Int) -> Int { (isHindered ? min(time, hinderedSince) : time) - ghostTime }
}

/// A time in which some or all rooms could not be played: a record of the stream `hub`.
struct Outage {
    let from: Int
    let to: Int
    /// The loop and the number of loops; nil for all.
    let loop: (index: Int, count: Int)?
    /// Whether the shared database has found it.
    let isSilence: Bool

    /// Nil for other records.
    init?(_ record: Value) {
        guard record["type"]?.string == "outage", let from = record["from"]?.integer, let to = record["to"]?.integer
        else { return nil }
        (self.from, self.to) = (from, to)
        if let index = record["loop"]?.integer, let count = record["loops"]?.integer {
            loop = (index, count)
        } else {
            loop = nil
        }
        isSilence = record["silence"] != nil
    }

    /// Whether it concerns the room whose code has this hash.
    func concerns(_ hash: UInt64) -> Bool {
        guard let loop, loop.count > 0 else { return true }
        return hash % UInt64(loop.count) == UInt64(loop.index)
    }

    /// FNV-1a of 64 bits, which assigns rooms to loops.
    static func hash(of code: String) -> UInt64 {
        code.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
