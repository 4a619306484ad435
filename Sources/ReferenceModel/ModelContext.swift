import Cryptography

/// What all rooms and connections of a hub have in common.
final class ModelContext {
    let findings = Findings()
    private(set) lazy var accounts = AccountsModel(context: self)
    private(set) lazy var openings = OpeningsModel(context: self)
    let results = ResultsModel()
    let secrets = Secrets()
    let rates: MessageRates
    var outages: [Outage] = []
    /// Of several hubs.
    var vacant = VacantSpans()
    /// By the hub's clock; the newest that anybody knows of.
    private(set) var now = 0
    /// By a clock that nobody sets, in ms since some moment; 0 where that is not known.
    var uptime = 0
    /// By which spans are measured: several hubs' clocks differ a little, and what one does another may do next.
    var moment: Int { isCluster ? uptime : now }
    /// Since when the hub that serves has done so.
    private(set) var startedAt = 0
    /// When something has kept the hub from its work last: for a while behind that, what must be done within a time may
    /// be late.
    private(set) var hinderedAt = 0
    let hasher = SHA256()
    /// The newest message that several may have been sent, and what it says.
    private var newest: (bytes: [UInt8], message: JSON)?

    init(rates: MessageRates) { self.rates = rates }

    /// How many commands each player has given lately, on all connections.
    private var commandCounts: [String: LatelySaid] = [:]

    func noteCommand(of player: String) { commandCounts[player, default: LatelySaid()].note(at: now) }

    /// Whether a player may have had more recorded than a player may.
    func mayHaveWrittenTooMuch(_ player: String?) -> Bool {
        player.flatMap { commandCounts[$0]?.count(at: now) } ?? 0 > 10 * rates.commands
    }

    /// In bytes: what is shorter is an answer to one alone.
    private static let sharedSize = 100

    /// The message that begins at `start` of `bytes`, read once where it comes several times in a row; nil if it is no
    /// JSON.
    func read(_ bytes: [UInt8], from start: Int) -> JSON? {
        guard bytes.count > Self.sharedSize else { return JSONParser.read(bytes, from: start) }
        if let newest, newest.bytes.isEnd(of: bytes, from: 0) { return newest.message }
        guard let message = JSONParser.read(bytes, from: start) else { return nil }
        newest = (bytes, message)
        return message
    }

    func passed(to time: Int, uptime: Int? = nil) {
        guard time > now else { return }
        // By a clock that is ahead of those before less time has passed than it seems.
        let isOther = isCluster && uptime.map { time - now > $0 - self.uptime + Self.clockSlack } ?? false
        now = time
        if isOther { hindered() }
    }

    /// A hub begins to serve where none does: what those before it have said of the time since they were heard of last
    /// it does not know.
    func begins(at time: Int) { now = min(now, time) }

    /// Whether several hubs share the log.
    private(set) var isCluster = false
    var nodes = NodesModel()
    var releases = ReleasesModel()
    /// By how much the clocks of several hubs may differ, in ms: what they ask a database for is late.
    var clockSpread: Int { isCluster ? 2_500 : 0 }
    /// By how much the clock of one of several hubs may be behind that of another that says what time it is, in ms.
    var clockLag: Int { isCluster ? Self.clockSlack + clocks.spread : 0 }
    var clocks = NodeClocks()
    /// How far the clock of several hubs' database was set forward in all, in ms.
    var databaseClockSteps = 0
    /// For which one of several hubs may take those to be there who are connected to another that has died, in ms.
    var ghostTime: Int { isCluster ? 10_000 : 0 }
    /// For which a list may be behind a room, in ms: rows are written by one node, and read by the others.
    var listSpan: Int { isCluster ? 12_000 : ListCheck.span }
    /// By a hub's clock and by one that nobody sets, when the hub that serves was heard of first: by its node's name.
    private var began: [String: (now: Int, uptime: Int)] = [:]

    /// A hub has begun to serve. What the one before it said of the time is not in the log, and may be later.
    func began(at time: Int) { (now, startedAt, began) = (time, time, [:]) }

    func nodeBegan(_ node: String) {
        isCluster = true
        clocks.forget(node)
        began[node] = nil
    }

    /// Hub time runs within 1 % of how time passes; what is rounded is 2 ms.
    func checkClock(_ now: Int, uptime: Int, of node: String) {
        guard let began = began[node] else { return self.began[node] = (now, uptime) }
        let (passed, uncounted) = (uptime - began.uptime, now - began.now - (uptime - began.uptime))
        findings.expect(
            abs(uncounted) <= passed / 100 + 2, "hub time runs within 1 % of how time passes",
            "\(now - began.now) ms in \(passed) ms")
    }

    /// What time it is for a node that serves.
    func noteClock(_ now: Int, uptime: Int, of node: String) {
        if isCluster { clocks.note(now - uptime, at: uptime, of: node) }
    }

    /// Clocks of loops that do their work differ by less, in ms.
    static let clockSlack = 100

    /// Holds a time that is told, or recorded, just now against the clock. `earliest`: when what it is of was asked
    /// for; `lead`: by how much the clock of whoever tells it may be ahead.
    func checkTime(_ time: Int?, from earliest: Int, lead: Int = 0, _ place: @autoclosure () -> String) {
        // What a home has said comes late where something keeps the node with the socket from its work.
        let delay = clockSpread + (isHindered ? ghostTime : 0)
        let times = min(earliest - Self.clockSlack - delay, now + lead)...(now + lead + clockSpread)
        findings.expect(
            time.map(times.contains) ?? false, "a time is that of the hub's clock",
            "\(place()): \(time.map { "\($0)" } ?? "none"), not in \(times)")
    }

    /// When the database has lost what was written last.
    private var wentBackAt: Int?
    /// For which hubs may take for true what it held before, in ms.
    private static let forgetting = 15_000
    /// Whether some hub may.
    var mayKnowLost: Bool { wentBackAt.map { now <= max($0, hinderedAt) + Self.forgetting } ?? false }

    func wentBack() {
        wentBackAt = now
        hindered()
    }

    func hindered() {
        if now - hinderedAt > Self.hindrancePause { hinderedSince = now }
        hinderedAt = now
        if isCluster { vacant.hindered(since: hinderedSince, at: now) }
    }

    /// What hinders a hub for long is told so often, in ms.
    private static let hindrancePause = 2_000
    private(set) var hinderedSince = 0

    /// Whether what nodes tell one another may be late.
    var isHindered: Bool { isCluster && now - hinderedAt < ghostTime }

    /// Who was connected at some time since then may be taken to be there at `time`: ghosts go once nothing hinders.
    func ghosts(at time: Int) -> Int {
        (isHindered ? min(time, hinderedSince) : time) - ghostTime
    }
}

/// A time in which some or all rooms could not be played: a record of the stream `hub`.
struct Outage {
    let from: Int
    let to: Int
    /// Of which loop, of so many; nil: of all.
    let loop: (index: Int, count: Int)?
    /// Whether several hubs' database has found it.
    let isSilence: Bool

    /// Nil for a record of anything else.
    init?(_ record: JSON) {
        guard record["type"]?.text == "outage", let from = record["from"]?.number, let to = record["to"]?.number else {
            return nil
        }
        (self.from, self.to) = (from, to)
        if let index = record["loop"]?.number, let count = record["loops"]?.number {
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

    /// FNV-1a of 64 bits: which loop a room is of.
    static func hash(of code: String) -> UInt64 {
        code.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
