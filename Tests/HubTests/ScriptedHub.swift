import Cryptography
import EventStore
import Games
import Logging
import Synchronization
import Testing
import WebProtocols

@testable import Hub

/// A whole hub of one shard on the test's thread: scripted clock, random bytes, log and connections.
final class ScriptedHub: ShardDirectory {
    let storage: InMemoryStorage
    private(set) var log: InMemoryLog
    private(set) var projections = InMemoryProjections()
    private(set) var shard: Shard!
    private var api: API!
    private var inbox = ScriptedInbox()
    private let timers = ScriptedTimers()
    private let thinking = ScriptedThinking()
    private let random: SeededRandom
    private(set) var now: Milliseconds = 1_700_000_000_000
    private var posted: [ShardMessage] = []
    /// Timers that have fired.
    private(set) var firedCount = 0
    /// Every byte that has left the hub, over sockets and HTTP.
    private(set) var sent = SentBytes()

    var count: Int { 1 }
    static let operatorToken = SHA256.digest(of: "the operator").bytes.base64URL

    init(seed: UInt64 = 1, pace: InMemoryLog.Pace = .automatic, limits: HubLimits = HubLimits()) {
        storage = InMemoryStorage()
        log = InMemoryLog(storage: storage, pace: pace)
        random = SeededRandom(seed)
        start(limits: limits, outages: [], hubVersion: 0)
    }

    private func start(limits: HubLimits, outages: [Outage], hubVersion: Int) {
        let surroundings = RoomSurroundings(
            log: log, projections: projections, inbox: inbox, random: random, timers: timers,
            thinking: thinking, thoughts: thinking, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            limits: limits, counters: HubCounters(), presence: PresenceCounts(), now: now, outages: outages)
        shard = Shard(index: 0, surroundings: surroundings, shards: self)
        guard let token = PlayerToken(Self.operatorToken) else { preconditionFailure("32 bytes are a token") }
        api = API(
            shard: shard, files: StaticFiles(), echoPath: nil, metrics: Metrics(counters: []),
            operatorKey: OperatorKey(token))
        shard.start(hubVersion: hubVersion)
        settle()
    }

    /// The process dies and is started again `downtime` ms later, with nothing but what the log holds; its first
    /// `failedReadings` readings of that fail.
    func crash(downtime: Milliseconds, keepsProjections: Bool = true, failedReadings: Int = 0) {
        log.crash()
        let died = now
        now += downtime
        log = InMemoryLog(storage: storage, pace: .automatic)
        inbox = ScriptedInbox()
        timers.reset()
        posted = []
        if !keepsProjections { projections = InMemoryProjections() }
        let outage = Outage(from: died, until: now)
        let version = storage.records(of: .hub).count
        log.append(outage.commit, to: .hub, expecting: version, ticket: 0, answer: inbox)
        _ = inbox.take()
        let outages = storage.records(of: .hub).compactMap { Outage($0) }
        for _ in 0..<failedReadings { log.putIn(.unreadable(.cannotRead(reason: "bad sector"))) }
        start(limits: HubLimits(), outages: outages, hubVersion: version + 1)
    }

    func post(_ message: ShardMessage, to shard: Int) { posted.append(message) }

    /// Lets everything happen that does not need time to pass.
    func settle() {
        for _ in 0..<100_000 {
            shard.surroundings.now = now
            log.run()
            let messages = inbox.take()
            let others = posted + thinking.take().map { .thought($0) }
            posted = []
            if messages.isEmpty, others.isEmpty { return shard.turnEnded() }
            shard.received(.log(messages))
            for message in others { shard.received(message) }
            shard.turnEnded()
        }
        Issue.record("the hub does not come to rest")
    }

    /// One call of the log, and what comes of it.
    func step() {
        log.step()
        shard.received(.log(inbox.take()))
        shard.turnEnded()
    }

    /// Time passes; timers fire on the way, in order.
    func pass(_ span: Milliseconds) {
        let end = now + span
        while let (token, time) = timers.next, time <= end {
            now = max(now, time)
            shard.surroundings.now = now
            timers.cancel(token)
            firedCount += 1
            shard.fired(token)
            settle()
        }
        now = end
        settle()
    }

    // MARK: HTTP

    func request(
        _ method: String, _ target: String, token: String? = nil, body: Fields? = nil, settling: Bool = true
    ) -> ScriptedExchange {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        if let token { head += "Authorization: Bearer \(token)\r\n" }
        let bytes = body.map { JSONWriter.bytes($0) } ?? []
        head += "Content-Length: \(bytes.count)\r\n\r\n"
        var decoder = RequestDecoder(limits: HTTPLimits())
        var offset = 0
        let whole = Array(head.utf8) + bytes
        let exchange = ScriptedExchange()
        do {
            guard let request = try decoder.next(whole.span.bytes, at: &offset) else {
                Issue.record("half a request")
                return exchange
            }
            api.handle(request, exchange)
        } catch { Issue.record(error) }
        guard settling else { return exchange }
        settle()
        sent.http.append(exchange.body)
        return exchange
    }

    /// Registers a player; the token follows from the name.
    func player(_ name: String) -> ScriptedPlayer {
        let token = SHA256.digest(of: "token of " + name).bytes.base64URL
        let answer = request("POST", "/api/players", body: ["name": .string(name), "token": .string(token)])
        return ScriptedPlayer(name: name, id: answer.fields["id"]?.string ?? "", token: token)
    }

    /// A room of `host` with these options; its code.
    func open(_ host: ScriptedPlayer, _ options: Fields = ["preset": "classic"]) -> String {
        let answer = request(
            "POST", "/api/rooms", token: host.token, body: ["game": "memory", "options": .object(options)])
        #expect(answer.status == 201)
        return answer.fields["code"]?.string ?? ""
    }

    // MARK: Connections

    /// A connection to a room that has not said hello.
    func connect(_ code: String) -> ScriptedClient {
        let client = ScriptedClient(hub: self)
        client.member = shard.enter(client, room: code)
        settle()
        return client
    }

    /// A connection that has said hello.
    func join(_ code: String, _ player: ScriptedPlayer? = nil, after: Int? = nil, head: String? = nil)
        -> ScriptedClient
    {
        let client = connect(code)
        var hello: Fields = ["type": "hello"]
        if let player { hello["token"] = .string(player.token) }
        if let after { hello["after"] = .integer(after) }
        if let head { hello["head"] = .string(head) }
        client.say(hello)
        return client
    }

    /// A connection to the list of rooms.
    func lobby() -> ScriptedClient {
        let client = ScriptedClient(hub: self)
        client.lobbyMember = shard.lobby?.enter(client)
        settle()
        return client
    }

    func room(_ code: String) -> RoomState {
        guard let room = shard.rooms[code] else {
            Issue.record("room \(code) is not awake")
            return RoomState(code: code)
        }
        return room.state
    }

    fileprivate func note(_ frame: Frame) { sent.frames.append(frame.bytes) }
}

struct ScriptedPlayer {
    let name: String
    let id: PlayerID
    let token: String
}

struct SentBytes {
    var frames: [[UInt8]] = []
    var http: [[UInt8]] = []
}

/// One connection, and everything that it got.
final class ScriptedClient: MemberChannel {
    private let hub: ScriptedHub
    var member: Member?
    var lobbyMember: LobbyMember?
    private(set) var messages: [Fields] = []
    private(set) var closed: CloseCode?
    /// While this is set, nothing is taken by the socket.
    var isStuck = false { didSet { if !isStuck { queuedBytes = 0 } } }
    private(set) var queuedBytes = 0
    private var lastID = 0
    let address = "192.0.2.2"

    init(hub: ScriptedHub) { self.hub = hub }

    func send(_ frame: Frame) {
        hub.note(frame)
        if isStuck { queuedBytes += frame.bytes.count }
        var decoder = FrameText(frame.bytes)
        do { messages.append(try JSONReader.read(decoder.take()).object ?? [:]) } catch { Issue.record(error) }
    }

    func close(_ code: CloseCode, _ reason: String) { closed = code }

    func say(_ fields: Fields, settling: Bool = true) { say(JSONWriter.bytes(fields), settling: settling) }

    func say(_ bytes: [UInt8], settling: Bool = true) {
        hub.shard.surroundings.now = hub.now
        if let lobbyMember { hub.shard.lobby?.received(bytes.span.bytes, from: lobbyMember) }
        if let member { hub.shard.received(bytes.span.bytes, from: member) }
        if settling { hub.settle() }
    }

    /// A command with an id of its own; what it was answered.
    @discardableResult
    func command(_ type: String, _ fields: Fields = [:], id: String? = nil, settling: Bool = true) -> Fields? {
        lastID += 1
        let id = id ?? "c\(lastID)"
        say((["type": .string(type), "id": .string(id)] as Fields).merging(fields), settling: settling)
        return messages.last { $0["id"]?.string == id }
    }

    func leave() {
        if let lobbyMember { hub.shard.lobby?.closed(lobbyMember) }
        if let member { hub.shard.closed(member) }
        (member, lobbyMember) = (nil, nil)
        hub.settle()
    }

    func last(_ type: String) -> Fields? { messages.last { $0["type"]?.string == type } }
    func clear() { messages = [] }

    /// The recorded events that came, in order.
    var events: [Fields] { messages.filter { $0["v"]?.integer != nil && $0["t"] != nil } }
    var versions: [Int] { events.compactMap { $0["v"]?.integer } }
}

/// The payload of one unmasked text frame.
private struct FrameText {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func take() -> [UInt8] {
        let length = bytes[1] & 0x7F
        return Array(bytes.dropFirst(length == 127 ? 10 : length == 126 ? 4 : 2))
    }
}

/// One request and its answer.
final class ScriptedExchange: Exchange {
    var address: String { "192.0.2.1" }
    private(set) var status = 0
    private(set) var headers = HeaderFields()
    private(set) var body: [UInt8] = []
    private(set) var purpose: Purpose?
    private(set) var isEnded = false
    func abort() { isEnded = true }
    var queuedBytes: Int { 0 }
    var onDrained: (() -> Void)?
    var isClosed: Bool { false }

    var fields: Fields { (try? JSONReader.read(body))?.object ?? [:] }

    func respond(_ response: HTTPResponse) {
        #expect(status == 0, "answered twice")
        (status, headers, body, isEnded) = (response.status, response.headers, response.body, true)
    }

    func upgrade(_ acceptance: Acceptance, limits: MessageLimits, to shard: Int, for purpose: Purpose) {
        (status, self.purpose) = (101, purpose)
    }

    func begin(status: Int, headers: HeaderFields) { (self.status, self.headers) = (status, headers) }
    func send(part: [UInt8]) { body += part }
    func end() { isEnded = true }
}

private final class ScriptedInbox: LogInbox {
    private let messages = Mutex<[LogMessage]>([])
    func deliver(_ messages: [LogMessage]) { self.messages.withLock { $0 += messages } }
    func take() -> [LogMessage] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }
}

/// Computer players think at once, on the test's thread.
private final class ScriptedThinking: Thinking, ThoughtInbox {
    private let table = Mutex(ComputerTable())
    private let thoughts = Mutex<[Thought]>([])
    func post(_ task: ThinkingTask, for computer: ComputerID) { table.withLock { $0.run(task, for: computer) } }
    func deliver(_ thought: Thought) { thoughts.withLock { $0.append(thought) } }
    func take() -> [Thought] {
        thoughts.withLock { thoughts in
            defer { thoughts = [] }
            return thoughts
        }
    }
}

private final class ScriptedTimers: Timers {
    private var armed: [UInt64: Milliseconds] = [:]
    func arm(_ token: UInt64, at time: Milliseconds) { armed[token] = time }
    func cancel(_ token: UInt64) { armed[token] = nil }
    func reset() { armed = [:] }
    var next: (token: UInt64, time: Milliseconds)? {
        armed.min { ($0.value, $0.key) < ($1.value, $1.key) }.map { ($0.key, $0.value) }
    }
}

/// Random bytes that follow from a seed.
final class SeededRandom: RandomSource {
    private var words: RandomWords
    init(_ seed: UInt64) { words = RandomWords(seed: SHA256.digest(of: "seed \(seed)")) }
    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: words.next()) } }
    func number(below bound: Int) -> Int { words.number(below: bound) }
}
