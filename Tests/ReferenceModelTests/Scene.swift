import Cryptography
import ReferenceModel

/// What a hub does, written by hand: Ann and Ben are in a room, of connect four unless another game is named. A third
/// connection watches.
final class Scene {
    let model = HubModel()
    let code = "k3m7pq"
    private let kind: String
    private(set) var time = 1_700_000_000_000
    private(set) var records: [[UInt8]] = []
    private var head = SHA256.digest(of: "room/k3m7pq")
    private var requests = 0
    private var isOpen: Set<Int> = []
    /// The last version that each connection was sent.
    private var told: [Int: Int] = [:]
    private var seedCount: UInt8 = 0
    private var idCount = 0
    static let (ann, ben, watcher) = (1, 2, 3)

    var version: Int { records.count }
    var headText: String { head.hex }

    init(game: String = "connect-four") {
        kind = game
        model.hubStarted(loops: 1, lastPlayed: nil, now: time)
        http("POST", "/api/players", #"{"name":"Ann","token":"A"}"#, answer: 201, #"{"id":"ann","name":"Ann"}"#)
        http("POST", "/api/players", #"{"name":"Ben","token":"B"}"#, answer: 201, #"{"id":"ben","name":"Ben"}"#)
        requests += 1
        let body = #"{"game":"\#(game)"}"#
        model.requestArrived(requests, method: "POST", target: "/api/rooms", token: "A", body: Array(body.utf8))
        record(
            "ann/open/k3m7pq",
            [
                #""type":"room-opened","game":"\#(game)","options":{},"visibility":"public","host":"ann","#
                    + #""commitment":"SEED""#
            ])
        model.responseSent(requests, status: 201, body: Array(#"{"code":"k3m7pq"}"#.utf8))
    }

    /// All three connect.
    func join() {
        greet(Self.ann, "A", as: "ann")
        greet(Self.ben, "B", as: "ben")
        greet(Self.watcher, nil, as: nil)
    }

    /// All three disconnect.
    func leave() {
        for connection in [Self.ann, Self.ben, Self.watcher] { model.connectionClosed(connection, code: nil) }
    }

    /// Both sit down and play.
    func play() {
        join()
        done(Self.ann, "ann", #""type":"sit""#, [#""type":"seat-taken","seat":0,"player":"ann""#])
        done(Self.ben, "ben", #""type":"sit""#, [#""type":"seat-taken","seat":1,"player":"ben""#])
        done(Self.ann, "ann", #""type":"start""#, started)
    }

    var started: [String] {
        [
            #""type":"game-started","number":1,"options":{"seats":2,"turnTime":30},"#
                + #""board":{"columns":7,"rows":6},"seats":[{"seat":0,"player":"ann"},{"seat":1,"player":"ben"}],"#
                + #""first":0"#,
            turn(0),
        ]
    }

    func turn(_ seat: Int) -> String { #""type":"turn","seat":\#(seat),"deadline":\#(time + 30_000)"# }
    func drop(_ cell: Int, by seat: Int) -> [String] {
        [#""type":"drop-disc","cell":\#(cell),"seat":\#(seat)"#, turn(1 - seat)]
    }

    // MARK: Single actions

    func pass(_ span: Int) {
        time += span
        model.timePassed(to: time)
    }

    /// A commit of these events, each without `v`, `t`, `more` and braces. `SEED` becomes a seed's digest, and the seed
    /// is sealed. `followed` has the indices of events that say that more follow; nil for all but the last.
    func record(
        _ commit: String, _ events: [String], at given: Int? = nil, from version: Int? = nil, isBroken: Bool = false,
        followed: [Int]? = nil
    ) {
        var logged: [LoggedEvent] = []
        for (index, event) in events.enumerated() {
            let number = (version ?? self.version + 1) + (version == nil ? 0 : logged.count)
            var (text, sealed): (String, [UInt8]?) = (event, nil)
            if followed?.contains(index) ?? (index < events.count - 1), let type = text.firstMatch(of: /"type":"[^"]*"/)
            {
                text.insert(contentsOf: #","more":true"#, at: type.range.upperBound)
            }
            if let place = text.range(of: "SEED") {
                seedCount += 1
                let seed = [UInt8](repeating: seedCount, count: 32)
                text.replaceSubrange(place, with: SHA256.digest(of: seed).hex)
                sealed = seed
            }
            let shown = Array(#"{"v":\#(number),"t":\#(given ?? time),\#(text)}"#.utf8)
            let parts = head.bytes + SHA256.digest(of: shown).bytes + (sealed.map { SHA256.digest(of: $0).bytes } ?? [])
            head = SHA256.digest(of: parts)
            let shownHead = isBroken ? [UInt8](repeating: 0, count: 32) : head.bytes
            records.append(shown)
            logged.append(
                LoggedEvent(
                    stream: "room/" + code, version: number, commit: commit, shown: shown, sealed: sealed,
                    head: shownHead))
        }
        model.eventsRecorded(logged)
    }

    /// An outage; `loop` names its loop in the record's form, or is empty for all rooms.
    func recordOutage(from: Int, to: Int, _ loop: String) {
        let shown = Array(#"{"v":1,"t":\#(to),"type":"outage","from":\#(from),"to":\#(to)\#(loop)}"#.utf8)
        model.eventsRecorded([
            LoggedEvent(stream: "hub", version: 1, commit: "hub/1", shown: shown, sealed: nil, head: [])
        ])
    }

    func say(_ connection: Int, _ text: String) { model.messageArrived(connection, Array(text.utf8)) }
    func tell(_ connection: Int, _ text: String) { model.messageSent(connection, Array("??\(text)".utf8), from: 2) }

    /// Shows the events from one version on, as they were recorded.
    func show(_ connection: Int, from first: Int, to last: Int? = nil) {
        for version in first...(last ?? version) {
            model.messageSent(connection, [0x81, 0x7E] + records[version - 1], from: 2)
        }
        told[connection] = last ?? version
    }

    func showAll() {
        for connection in told.keys.sorted() where (told[connection] ?? 0) < version { showRest(connection) }
    }
    private func showRest(_ connection: Int) { show(connection, from: (told[connection] ?? 0) + 1) }

    /// A command that is sent, recorded, shown and answered.
    func done(_ connection: Int, _ player: String, _ command: String, _ events: [String]) {
        let id = ask(connection, command)
        record("\(player)/\(id)", events)
        showAll()
        tell(connection, #"{"type":"ok","id":"\#(id)","v":\#(version)}"#)
    }

    /// Sends a command. Returns its id.
    @discardableResult
    func ask(_ connection: Int, _ command: String) -> String {
        idCount += 1
        say(connection, #"{\#(command),"id":"c\#(idCount)"}"#)
        return "c\(idCount)"
    }

    /// `text` is the answer's. Without it a status from 400 on is answered with a problem with this `code`.
    func http(
        _ method: String, _ target: String, _ body: String = "", token: String? = nil, answer: Int, _ text: String = "",
        code: String = ""
    ) {
        requests += 1
        model.requestArrived(requests, method: method, target: target, token: token, body: Array(body.utf8))
        let isProblem = answer >= 400 && text.isEmpty
        model.responseSent(requests, status: answer, body: Array((isProblem ? Self.problem(answer, code) : text).utf8))
    }

    static func problem(_ status: Int, _ code: String, _ values: String = "") -> String {
        let usual = [401: "unknown-token", 404: "no-such-room", 503: "log-unavailable"]
        let code = code.isEmpty ? usual[status] ?? "" : code
        return #"{"type":"about:blank","title":"No","status":\#(status),"code":"\#(code)","detail":"So."\#(values)}"#
    }

    // MARK: Greetings

    func greet(_ connection: Int, _ token: String?, as player: String?, _ extra: String = "") {
        if isOpen.insert(connection).inserted { model.connectionOpened(connection, room: code) }
        say(connection, token.map { #"{"type":"hello","token":"\#($0)"}"# } ?? #"{"type":"hello"}"#)
        tell(connection, welcome(as: player, extra))
        told[connection] = version
    }

    /// A `welcome` to the room before anyone has sat down.
    func welcome(as player: String?, _ extra: String = "", room: String = "", name: String? = nil) -> String {
        let names = ["ann": "Ann", "ben": "Ben"]
        let you = player.map {
            #"{"isHost":\#($0 == "ann"),"player":"\#($0)","name":"\#(name ?? names[$0] ?? "")"}"#
        }
        let seats = (0..<(["memory": 8, "go-fish": 6][kind] ?? 2)).map { #"{"seat":\#($0)}"# }.joined(separator: ",")
        return #"{"type":"welcome","version":\#(version),"head":"\#(headText)","now":\#(time),"#
            + #""you":\#(you ?? #"{"isHost":false}"#),"room":{"code":"k3m7pq","game":"\#(kind)","options":{},"#
            + #""visibility":"public","host":"ann","status":"waiting","seats":[\#(seats)],"gameNumber":0,"#
            + #""commitment":"\#(SHA256.digest(of: [UInt8](repeating: 1, count: 32)).hex)"\#(room)},"view":null,"#
            + #""names":{"ann":"Ann"},"presence":{"players":[],"spectators":0},"chat":[]\#(extra)}"#
    }
}

extension String {
    fileprivate func range(of text: String) -> Range<String.Index>? { firstRange(of: text) }
}
