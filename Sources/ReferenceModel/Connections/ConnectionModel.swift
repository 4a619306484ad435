import JSON

/// A WebSocket to a room: what was said on it, and what must still be said.
final class ConnectionModel: PlacedCheck {
    /// A `hello` without a greeting so far.
    struct Hello {
        let token: String?
        let after: Int?
        let head: String?
        /// The version shown when it was said.
        var behind: Int
        let askedAt: Int

        /// Whether a resume up to `version` may answer it.
        func asks(for version: Int) -> Bool {
            after.map { (0...GreetingCheck.resumeLimit).contains(version - $0) } ?? false
        }

        /// Whether `log` continues from the version that it names.
        func fits(_ log: RoomLog) -> Bool {
            guard let after else { return true }
            return after <= log.version && (head == nil || head == log.head(at: after)?.hex)
        }
    }

    /// A `ping` without an answer so far.
    struct Ping {
        let number: Int
        let askedAt: Int
    }

    let number: Int
    /// Nil if the room does not exist.
    let room: RoomModel?
    let context: ModelContext
    private(set) var hellos: [Hello] = []
    /// The hello that the newest `welcome` may have answered.
    private var lastWelcomed: Hello?
    var commands: [AskedCommand] = []
    private(set) var pings: [Ping] = []
    /// Messages that the model cannot read, whose answers may be anything.
    var unclearCount = 0
    /// Messages refused by answers that do not say which.
    var refusedCount = 0
    /// The token of the newest `hello`.
    private(set) var token: String?
    let openedAt: Int
    private(set) var saidHello = false
    private(set) var said = SaidCounts()
    /// The player of the newest greeting, and the token that it answered.
    private(set) var player: String?
    private var greetedBy: String?
    /// The version of the next event; 0 before the first greeting.
    private(set) var next = 0
    /// The newest hand that it was sent since its greeting, and the version that the hand is of.
    var hand: (version: Int, fields: Value)?
    /// The lost log of which it was shown a part; nil if the present log holds all that it was shown.
    var lostLog: RoomLog?
    /// The next event of a client that is behind others, and since when at the latest; nil if it is not, or reads.
    var behind: (next: Int, since: Int)?
    /// Other possible versions after a resume: of several hellos some were refused or replaced.
    private(set) var otherNexts: [Int] = []
    /// The highest possible version of the next event.
    var latestNext: Int { otherNexts.reduce(next) { max($0, $1) } }
    /// Whether no message since the last greeting asks for another.
    private(set) var isGreetedSince = true
    /// When the newest such message was read.
    private(set) var helloAt = 0
    /// When the newest greeting came.
    private(set) var greetedAt = 0
    /// The version shown when the newest answered hello was said.
    private(set) var cameBehind = 0
    /// The newest presence told, and when.
    var presence: Present?
    var presenceAt = 0
    var presenceMoment = 0
    /// Whether the newest presence includes the room's last change.
    var isPresenceTrue = false
    var presenceCheckedAt = 0
    /// Players' names, as told.
    var names: [String: String] = [:]
    /// The next line of chat, by the room's count.
    var chatNext = 0
    /// The lines told, for several hubs, which may tell them in different orders.
    var toldLines: [Chat.Line] = []
    var isOpen = true
    /// Whether its node is lost, so that what it says may be old.
    private(set) var isLost = false
    var isReading = true { didSet { if isReading != oldValue { (readsSince, behind) = (context.now, nil) } } }
    private(set) var readsSince = 0

    init(number: Int, room: RoomModel?, context: ModelContext) {
        (self.number, self.room, self.context, openedAt) = (number, room, context, context.now)
    }

    var findings: Findings { context.findings }
    var place: String { "connection \(number), room \(room?.code ?? "none")" }
    var isGreeted: Bool { next > 0 }
    /// Whether all waiting hellos have the token of the newest greeting, so that the player stays the same for any
    /// answer. One greeting may answer several, so some seem to wait forever.
    private var isGoingOn: Bool { hellos.allSatisfy { $0.token == greetedBy } }
    /// Since when its socket's node cannot reach the room's home; nil if it can.
    var outOfReachSince: Int?
    /// The player who has said hello and was not greeted yet; nil if unknown.
    var coming: String? { isGreetedSince ? nil : context.accounts.player(of: token) }

    // MARK: What is asked

    func messageArrived(_ bytes: [UInt8]) {
        let message = Value.read(bytes, limit: JSONReader.clientValueLimit)
        said.countMessage(message?["type"]?.string, at: context.now)
        guard let message, let type = message["type"]?.string else {
            unclearCount += 1
            return
        }
        switch type {
        case "hello":
            guard let hello = Hello(message, behind: room?.shownVersion ?? 0, askedAt: context.now) else {
                unclearCount += 1
                return
            }
            (token, saidHello) = (hello.token, true)
            if let token { context.secrets.keep(token, "a token") }
            hellos.append(hello)
            (isGreetedSince, helloAt) = (false, context.now)
        case "ping":
            guard let number = message["n"]?.integer else {
                unclearCount += 1
                return
            }
            pings.append(Ping(number: number, askedAt: context.now))
        default:
            guard let id = message["id"]?.string, !id.isEmpty, id.unicodeScalars.count <= 40, let room else {
                unclearCount += 1
                return
            }
            // One of several hubs may not know yet what others have shown, and chat waits for no event.
            let isBehind = context.isCluster && AskedCommand.ofChat.contains(type)
            let command = AskedCommand(
                id: id, type: type, message: message, token: token, greeted: isGoingOn ? player : nil,
                accounts: context.accounts, askedAt: context.now,
                askedBehind: isBehind ? min(room.shownVersion, max(0, next - 1)) : room.shownVersion)
            command.isLost = isLost
            if let player { context.noteCommand(of: player) }
            commands.append(command)
            room.asked[ByteText(id), default: []].append(command)
        }
    }

    // MARK: What is told

    @inline(__always)
    func messageSent(_ bytes: [UInt8], from start: Int) {
        guard let room, !isLost else { return }
        if let version = bytes.eventVersion(from: start) {
            if lostLog == nil, room.former.isEmpty {
                room.log.show(version, bytes, from: start)
            } else {
                showAny(version, bytes, from: start, in: room)
            }
            if version != next || next == 0, !otherNexts.contains(version) { wrongVersion(version) }
            if !otherNexts.isEmpty { otherNexts = [] }
            next = version + 1
        } else {
            toldOther(bytes, from: start, in: room)
        }
    }

    private func wrongVersion(_ version: Int) {
        guard isGreeted else { return recordBreach("nothing is shown before a greeting", "version \(version)") }
        recordBreach(
            version < next ? "no event is shown twice on a connection" : "a connection gets every event",
            "version \(version) instead of \(next)")
    }

    private func toldOther(_ bytes: [UInt8], from start: Int, in room: RoomModel) {
        guard let message = context.read(bytes, from: start), let type = message["type"]?.string else {
            return recordBreach(
                "a message is a Value object with a type", String(decoding: bytes[start...], as: UTF8.self))
        }
        if let kind = context.secrets.find(in: bytes, from: start) {
            recordBreach("no secret leaves the hub", "\(kind), in \(message)")
        }
        switch type {
        case "ok": answerSent(message, in: room)
        case "error": refusalSent(message, in: room)
        case "pong": pong(message, in: room)
        case "welcome", "resume": greetingSent(message, by: type, in: room)
        case "presence": toldWhoIsThere(message, in: room)
        case "hand": HandCheck(connection: self, log: lostLog ?? room.log).run(message)
        case "chat", "reaction": heard(message, type, in: room)
        case "notice": break
        default: recordBreach("a message has a type that the protocol knows", type)
        }
    }

    private func pong(_ message: Value, in room: RoomModel) {
        guard let number = message["n"]?.integer, let index = pings.firstIndex(where: { $0.number == number }) else {
            if unclearCount > 0 { return unclearCount -= 1 }
            return recordBreach("a pong answers a ping", "\(message)")
        }
        expect(index <= refusedCount, "pings are answered in order", "\(message)")
        context.checkTime(message["now"]?.integer, from: pings[index].askedAt, lead: room.lead, "\(place), a pong")
        refusedCount -= min(refusedCount, index)
        pings.removeFirst(index + 1)
    }

    private func greetingSent(_ message: Value, by type: String, in room: RoomModel) {
        let log = room.log(of: message)
        let hello = takeHello(answeredBy: message, type, from: log)
        var check = GreetingCheck(connection: self, room: room, log: log, message: message, hello: hello)
        check.run(isWelcome: type == "welcome")
        follow(log, at: message["version"]?.integer ?? 0, in: room)
        become(message["you"]?["player"]?.string)
        if hellos.isEmpty { for command in commands { command.greet(player) } }
        heardBefore(message["chat"] ?? .null, in: room)
        greetedWithPresence(message["presence"], in: room)
        if !isGreeted { room.presenceChangedAt = context.now }
        (greetedAt, hand) = (context.now, nil)
        if let hello { (cameBehind, greetedBy) = (hello.behind, hello.token) }
        if type == "welcome" {
            next = (message["version"]?.integer ?? 0) + 1
        } else if let after = hello?.after {
            next = after + 1
        }
    }

    /// The hello that a greeting may answer: of several that wait, some are refused or replaced.
    private func takeHello(answeredBy message: Value, _ type: String, from log: RoomLog) -> Hello? {
        isGreetedSince = true
        otherNexts = []
        guard type == "resume", let version = message["version"]?.integer else {
            // It may have come by itself.
            guard let first = hellos.first, hellos.count == 1 || first.after == nil else { return nil }
            lastWelcomed = first
            hellos.removeFirst()
            return first
        }
        let asking = hellos.indices.filter { hellos[$0].asks(for: version) }
        guard let index = asking.first(where: { hellos[$0].fits(log) }) ?? asking.first else {
            // The welcome before may have come by itself.
            defer { lastWelcomed = nil }
            return lastWelcomed
        }
        let hello = hellos[index]
        otherNexts = hellos[index...].filter { $0.asks(for: version) }.compactMap { $0.after.map { $0 + 1 } }
        hellos.removeFirst(index + 1)
        return hello
    }

    /// The connected player has changed.
    func become(_ new: String?) {
        guard new != player, let room else { return }
        room.presenceChangedAt = context.now
        if let player { room.playerWent(player) }
        if let new { room.playerCame(new) }
        player = new
    }

    /// The events after this version are no longer those that were shown.
    func forgetVersions(behind version: Int) {
        cameBehind = min(cameBehind, version)
        for index in hellos.indices { hellos[index].behind = min(hellos[index].behind, version) }
        otherNexts = []
        behind = nil
    }

    // MARK: The end

    func connectionClosed() {
        guard isOpen else { return }
        isOpen = false
        leave()
    }

    /// Its node is declared lost: no one is present through it, but its commands may still be done.
    func lostNode() {
        isLost = true
        leave()
    }

    private func leave() {
        let unknown = coming
        become(nil)
        if let unknown { room?.mayHaveGone(unknown) }
        room?.left(self, at: context.now)
        for command in commands { command.isLost = true }
    }
}

extension ConnectionModel.Hello {
    /// Nil if a member has the wrong type.
    fileprivate init?(_ message: Value, behind version: Int, askedAt: Int) {
        let (token, after, head) = (message.given("token"), message.given("after"), message.given("head"))
        guard token == nil || token?.string != nil, after == nil || (after?.integer ?? -1) >= 0,
            head == nil || head?.string?.utf8.count == 64
        else { return nil }
        self.init(
            token: token?.string, after: after?.integer, head: head?.string, behind: version, askedAt: askedAt)
    }
}
