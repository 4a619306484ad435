import Cryptography
import EventStore
import Hub
import Logging
import ReferenceModel
import Transport
import WebProtocols

/// A hub and all around it, in one thread: its log, its machine's clock, its clients with their lines, and what befalls
/// them. What happens next is on an agenda by its time; everything follows from a seed.
final class World {
    /// What is on the agenda. `index`: which loop, person, fault.
    enum Task: UInt8 {
        case loop, log, computers, rows, act, arrive, life, fault, heal, quiet, rest, boot
    }

    let settings: WorldSettings
    /// Microseconds since the world began, as the machine's uptime.
    private(set) var now = 0
    private var agenda = TimerHeap()
    let disk = SimulatedDisk()
    let machine = SimulatedMachine()
    let random: SimulatedRandom
    let logger: Logger
    let model = HubModel()
    var process: HubProcess?
    var people: [Person] = []
    /// Codes of all rooms that were opened.
    var rooms: [String] = []
    var delays: Choices
    let fates: Faults
    var digest = RunDigest()
    var counts = Counts()
    private var lastPosition = 0
    private var lastLink = 0
    private var lastRequest = 0
    private(set) var steps = 0
    /// Those that the hub still has.
    var links: [Int: Link] = [:]
    private var arrivals: [UInt32: (Arrival, Int, HubProcess)] = [:]
    private var lastArrival: UInt32 = 0
    private(set) var failure: BrokenPromise?

    init(_ settings: WorldSettings) {
        self.settings = settings
        random = SimulatedRandom(Choices(seed: settings.seed, part: 1))
        delays = Choices(seed: settings.seed, part: 2)
        fates = Faults(settings)
        logger = Logger(label: "simulated") { _ in SwiftLogNoOpLogHandler() }
        for number in settings.people { people.append(Person(number, in: self)) }
    }

    /// Goes on until so many steps are done, or a promise is broken.
    func run() {
        boot()
        for person in people { schedule(.act, after: delays.number(in: 0...2_000_000), index: person.slot) }
        fates.begin(in: self)
        schedule(.life, after: 1_000_000)
        while steps < settings.steps, failure == nil, let entry = agenda.popDue(at: .max) {
            steps += 1
            now = max(now, entry.time)
            machine.boot = now * 1_000
            perform(entry.token)
            if let broken = model.broken { failure = broken }
        }
    }

    func fail(_ rule: String, _ detail: String) { if failure == nil { failure = BrokenPromise(rule, detail) } }

    // MARK: The agenda

    func schedule(_ task: Task, after span: Int, index: Int = 0) { schedule(task, at: now + span, index: index) }

    func schedule(_ task: Task, at time: Int, index: Int = 0) {
        agenda.insert(UInt64(task.rawValue) << 32 | UInt64(UInt32(index)), at: max(now, time))
    }

    private func perform(_ token: UInt64) {
        let index = Int(token & 0xFFFF_FFFF)
        guard let task = Task(rawValue: UInt8(token >> 32)) else { preconditionFailure("it was scheduled") }
        digest.add(Int(token))
        digest.add(now)
        switch task {
        case .loop: process?.turnIfDue(index)
        case .log: process?.runLog()
        case .computers: process?.runComputers()
        case .rows: disk.rows.perform(1)
        case .act: people[index].act()
        case .arrive: arrive(UInt32(index))
        case .life:
            process?.showLife()
            schedule(.life, after: 1_000_000)
        case .fault: fates.strike(index, in: self)
        case .heal: fates.heal(index, in: self)
        case .quiet: fates.beginQuiet(in: self)
        case .rest: fates.endQuiet(in: self)
        case .boot: boot()
        }
    }

    // MARK: The hub

    func boot() {
        guard process == nil else { return }
        do {
            let begun = try HubProcess(in: self, loops: settings.loops)
            process = begun
            noteRecords()
            model.started(loops: settings.loops, lastPlayed: disk.lastSignOfLife, now: begun.now)
            counts.starts += 1
            for loop in begun.loops.indices { begun.turn(loop) }
        } catch {
            counts.failedStarts += 1
            schedule(.boot, after: 1_000_000)
        }
    }

    /// The process is gone. `performed`: see `HubProcess.die`.
    func crash(performed: Int, downtime: Int) {
        guard let process else { return }
        process.die(performed: performed)
        self.process = nil
        model.died()
        for number in links.keys.sorted() { links[number]?.loseHub() }
        links = [:]
        arrivals = [:]
        schedule(.boot, after: downtime)
    }

    /// What the log has written since this was called last.
    func noteRecords() {
        let position = disk.storage.lastPosition
        guard position > lastPosition else { return }
        let records = disk.storage.records(after: lastPosition)
        var commit: [LoggedEvent] = []
        var (last, stream) = (CommitID(text: ""), StreamName.hub)
        for record in records {
            if !commit.isEmpty, record.commit != last || record.stream != stream {
                model.recorded(commit)
                commit.removeAll(keepingCapacity: true)
            }
            (last, stream) = (record.commit, record.stream)
            commit.append(LoggedEvent(record))
            digest.add(record.event.shown)
            counts.note(record, fates.recent)
        }
        if !commit.isEmpty { model.recorded(commit) }
        for stream in disk.storage.erasedStreams(after: lastPosition) { model.erased(stream.text) }
        lastPosition = position
    }

    /// A loop is to turn when its timer is due.
    func wake(_ loop: Int, at hubTime: Int) {
        guard let process else { return }
        // While hub time is slewed it comes nearer in steps; a turn that comes too early changes nothing.
        let wait = max(0, hubTime - process.now)
        process.schedule(loop, at: now + wait * 1_000)
    }

    func wakeSoon(_ loop: Int) { process?.schedule(loop, at: now) }

    func logLatency() -> Int { fates.logLatency(&delays, now: now) }

    func faultsOfNextCall(of log: InMemoryLog) { fates.putIn(log) }

    /// Loops in some order.
    func order(of count: Int) -> [Int] {
        if count == 1 { return [0] }
        let first = delays.number(below: count)
        return (0..<count).map { ($0 + first) % count }
    }

    // MARK: Lines

    /// Brings something to a loop of the hub that runs now, behind what was sent on the same line before.
    func send(_ arrival: Arrival, to loop: Int, of process: HubProcess, at time: Int) {
        lastArrival &+= 1
        arrivals[lastArrival] = (arrival, loop, process)
        schedule(.arrive, at: time, index: Int(lastArrival))
    }

    private func arrive(_ number: UInt32) {
        guard let (arrival, loop, process) = arrivals.removeValue(forKey: number), process.isAlive else { return }
        process.arrived(arrival, on: loop)
    }

    /// Asks a hub over HTTP; `then` is told what comes of it.
    func request(
        _ method: String, _ target: String, token: String? = nil, body: [UInt8] = [], from peer: Peer,
        then: @escaping (HTTPExchange.Answer) -> Void
    ) {
        lastRequest += 1
        var headers: HeaderFields = ["Host": "localhost"]
        if let token { headers.set("Authorization", "Bearer " + token) }
        if target.hasPrefix("/ws/") {
            headers.set("Connection", "Upgrade")
            headers.set("Upgrade", "websocket")
            headers.set("Sec-WebSocket-Version", "13")
            headers.set("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
            headers.set("Sec-WebSocket-Protocol", "flipside.v1")
        }
        guard let process, let head = try? RequestHead(method: method, target: target, headers: headers) else {
            return then(.broken)
        }
        let exchange = HTTPExchange(
            lastRequest, HTTPRequest(head: head, body: body), token: token, from: peer, in: self, then: then)
        process.exchanges[lastRequest] = exchange
        send(
            .request(exchange), to: delays.number(below: settings.loops), of: process,
            at: now + delays.number(in: 100...3_000))
    }

    func received(_ exchange: HTTPExchange, by process: HubProcess, on loop: Int) {
        let head = exchange.request.head
        model.requested(
            exchange.number, method: head.method, target: head.target, token: exchange.token,
            body: exchange.request.body)
        process.received(exchange, on: loop)
    }

    func answered(_ exchange: HTTPExchange, _ answer: HTTPExchange.Answer) {
        process?.exchanges[exchange.number] = nil
        guard case .response(let status, let body) = answer else { return }
        digest.add(status)
        digest.add(body)
        model.responded(exchange.number, status: status, body: body)
    }

    /// A WebSocket that was asked for and granted.
    func open(_ purpose: WebSocketPurpose, of person: Person, on loop: Int) -> Link? {
        guard let process else { return nil }
        lastLink += 1
        let link = Link(lastLink, purpose, of: person, on: loop, process)
        links[lastLink] = link
        send(.opened(link, purpose), to: loop, of: process, at: now + delays.number(in: 0...500))
        return link
    }

    func opened(_ link: Link, for purpose: WebSocketPurpose, by process: HubProcess) {
        guard link.isOpenAtHub else { return }
        model.opened(link.number, room: link.room)
        link.end = process.open(link, for: purpose)
    }

    func received(_ bytes: [UInt8], from link: Link, by process: HubProcess) {
        guard link.isOpenAtHub, let end = link.end else { return }
        digest.add(bytes)
        counts.messages += 1
        model.asked(link.number, bytes)
        process.received(bytes, from: end, on: link.loop)
    }

    func told(_ link: Link, _ frame: Frame) {
        counts.frames += 1
        digest.add(link.number)
        digest.add(frame.bytes)
        model.told(link.number, frame.bytes, from: frame.payloadStart)
    }

    func closedByHub(_ link: Link, code: Int) {
        digest.add(code)
        counts.closings[code, default: 0] += 1
        model.closed(link.number, code: code)
        link.endAtHub()
        // The transport tells the service of it in a turn to come.
        send(.closed(link), to: link.loop, of: link.process, at: now)
    }

    /// The hub hears that the connection has ended.
    func closed(_ link: Link, by process: HubProcess) {
        links[link.number] = nil
        if link.isOpenAtHub { model.closed(link.number, code: nil) }
        link.endAtHub()
        guard let end = link.end else { return }
        link.end = nil
        process.closed(end, on: link.loop)
    }
}

extension Frame {
    /// Where its payload begins (RFC 6455 section 5.2): a hub's frames are not masked.
    var payloadStart: Int {
        switch bytes[1] & 0x7F {
        case 127: 10
        case 126: 4
        default: 2
        }
    }

    /// Whether it is a recorded event: these begin with their version.
    var isEvent: Bool { bytes[payloadStart + 2] == UInt8(ascii: "v") }
}

extension LoggedEvent {
    fileprivate init(_ record: Record) {
        self.init(
            stream: record.stream.text, version: record.version, commit: record.commit.text,
            shown: record.event.shown, sealed: record.event.sealed, head: record.hash.bytes)
    }
}
