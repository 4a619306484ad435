import JSON

/// Follows a hub's promises step by step. Given all that its log holds, all that is said to it and all that it says,
/// the model finds the first thing that the protocol or the rules do not allow. It never says what happens next, only
/// whether what has happened is allowed.
///
/// Everything is given in the order in which it happens. Times are milliseconds since 1970.
public final class HubModel {
    let context: ModelContext
    var rooms: [String: RoomModel] = [:]
    var connections: [Int: ConnectionModel] = [:]
    var lobbies: [Int: LobbyModel] = [:]
    /// Requests for logs.
    private var downloads: [Int: LogDownload] = [:]
    /// Whether a hub serves.
    var isServing = false
    /// What answers to other requests must say.
    private var questions: [Int: [any Question]] = [:]
    /// The running hubs of several, with the run of each.
    var runningNodes: [String: String] = [:]
    /// Nodes that serve although the log has lost that they have joined.
    var rejoining: [String: String] = [:]
    /// The records of the stream `hub`.
    var hubRecords: [Value] = []
    /// By run, since when its rooms cannot be played, and when its loss was recorded.
    var stoppedSince: [String: Int] = [:]
    var lostAt: [String: Int] = [:]
    /// Since when no node serves; nil if one does.
    var unservedSince: Int?
    /// The hub of each connection and request, if there are several.
    var nodesOfConnections: [Int: String] = [:]
    var nodesOfRequests: [Int: String] = [:]

    /// `rates`: what each connection may say, as the hub's operator has set it.
    public init(rates: MessageRates = MessageRates()) { context = ModelContext(rates: rates) }

    /// The first broken promise; nil while all hold. Nothing is checked after it.
    public var broken: BrokenPromise? { context.findings.broken }

    /// The hub's clock shows `now`. Called before anything that happens then. A loop's clock may lag.
    ///
    /// - Parameters:
    ///   - uptime: milliseconds by a clock that no one sets; nil if unknown.
    ///   - node: of several hubs, the one with this clock.
    ///   - isServing: whether it serves rooms, as far as it knows.
    public func timePassed(to now: Int, uptime: Int? = nil, of node: String = "", isServing: Bool = true) {
        // The clock of a node that serves nothing does not matter.
        let isKnown = isServing && !isLost(node)
        if isKnown { context.timePassed(to: now, uptime: uptime) }
        guard let uptime else { return }
        if isKnown { context.noteClock(now, uptime: uptime, of: node) }
        context.uptime = uptime
        context.checkClock(now, uptime: uptime, of: node)
    }

    // MARK: The log

    /// A commit is durable: its records, in order. No client has seen them yet.
    public func eventsRecorded(_ events: [LoggedEvent]) {
        guard broken == nil, let stream = events.first?.stream else { return }
        if stream.hasPrefix("room/") {
            let code = String(stream.dropFirst(5))
            if rooms[code] == nil { rooms[code] = RoomModel(code: code, context: context) }
            rooms[code]?.eventsRecorded(events)
            context.checkRelease(events)
        } else if stream == "hub" {
            for event in events { if let json = Value.read(event.shown) { recordedOfHub(json) } }
        }
    }

    /// A stream is durably gone.
    public func streamErased(_ stream: String) {
        if stream.hasPrefix("account/") { context.accounts.accountErased(String(stream.dropFirst(8))) }
    }

    // MARK: WebSockets

    /// A WebSocket is open, under a number that is never reused. `room` is its code, or nil for the lobby. `node`: of
    /// several hubs, the one it is connected to.
    public func connectionOpened(_ connection: Int, room: String?, of node: String = "") {
        if context.isCluster { nodesOfConnections[connection] = node }
        guard let room else {
            guard serves(node) else { return }
            lobbies[connection] = LobbyModel(number: connection, context: context) { [unowned self] in rooms[$0] }
            return
        }
        let model = ConnectionModel(number: connection, room: rooms[room], context: context)
        connections[connection] = model
        if serves(node) { rooms[room]?.connectionOpened(model) } else { model.lostNode() }
    }

    /// The hub reads this text message.
    public func messageArrived(_ connection: Int, _ message: [UInt8]) {
        guard broken == nil else { return }
        if let model = connections[connection] { return model.messageArrived(message) }
        lobbies[connection]?.messageArrived(message)
    }

    /// The hub sends the text message at `start` of `bytes`, which may be lost on its way.
    public func messageSent(_ connection: Int, _ bytes: [UInt8], from start: Int) {
        guard broken == nil else { return }
        if let model = connections[connection] {
            model.messageSent(bytes, from: start)
        } else {
            lobbies[connection]?.messageSent(bytes, from: start, in: check("lobby, connection \(connection)"))
        }
    }

    /// Whether the client reads, as it does at first.
    public func reads(_ connection: Int, _ isReading: Bool) {
        connections[connection]?.isReading = isReading
        lobbies[connection]?.isReading = isReading
    }

    /// The hub learns that the client has disconnected, or has itself closed the connection with `code`.
    public func connectionClosed(_ connection: Int, code: Int?) {
        if let code, broken == nil {
            connections[connection]?.checkClosing(code)
            lobbies[connection]?.checkClosing(code)
        }
        connections.removeValue(forKey: connection)?.connectionClosed()
        (lobbies[connection], nodesOfConnections[connection]) = (nil, nil)
    }

    private func check(_ place: @autoclosure () -> String) -> ListCheck {
        ListCheck(context: context, rooms: rooms, place: place())
    }

    // MARK: HTTP

    /// The hub reads a request. `token` comes with it; `node`: of several hubs, the one that reads it.
    public func requestArrived(
        _ request: Int, method: String, target: String, token: String?, body: [UInt8], of node: String = ""
    ) {
        guard broken == nil else { return }
        defer { if !serves(node) { forgetQuestions(of: request) } }
        if context.isCluster { nodesOfRequests[request] = node }
        downloads[request] = LogDownload(method: method, target: target, rooms: { rooms[$0] })
        context.openings.requestArrived(request, method: method, target: target, token: token, body: body)
        var asked: [(any Question)?] = [
            AnswerForm(method: method, target: target, token: token, context: context),
            ListRequest(method: method, target: target, context: context, rooms: rooms),
        ]
        // If the log may have lost the token, its owner is unknown.
        if context.accounts.isClear(token) {
            let player = context.accounts.player(of: token)
            asked.append(LeaderboardRequest(method: method, target: target, player: player, context: context))
            asked.append(GamesRequest(method: method, target: target, player: player, context: context))
        }
        questions[request] = asked.compactMap(\.self)
        if let asked = AccountRequest(method: method, target: target, token: token, body: body) {
            context.accounts.requestArrived(request, asked)
        }
    }

    /// The hub answers the request, with these header fields.
    public func responseSent(_ request: Int, status: Int, fields: [(name: String, value: String)] = [], body: [UInt8]) {
        nodesOfRequests[request] = nil
        guard broken == nil else { return }
        for text in [body] + fields.map({ Array($0.value.utf8) }) { context.checkSecrecy(of: text) }
        let (asked, download) = (questions.removeValue(forKey: request), downloads.removeValue(forKey: request))
        if let download, status == 200 { return download.check(body) }
        let answer = Value.read(body)
        for question in asked ?? [] { question.check(status, answer, in: check("an answer over HTTP")) }
        context.openings.responseSent(request, status: status, answer)
        answer?.forEachText { context.accounts.checkNotForgotten($0, "an answer over HTTP") }
        context.accounts.responseSent(request, status: status, answer)
    }

    // MARK: What operators see

    /// A hub writes this line to its own log, with these values.
    public func lineLogged(_ text: String, _ values: [(name: String, value: String)] = []) {
        LogLineCheck(context: context).run(text, values)
    }

    // MARK: What people see

    /// What can be seen of a room now; nil if the room is unknown.
    public func sight(of code: String) -> RoomSight? { rooms[code]?.sight }

    /// The players whom a room waits for now.
    public func awaited(in code: String) -> [String] { rooms[code]?.durable.awaited ?? [] }

    /// The head after an event, as 64 hexadecimal digits; nil if there is no such event.
    ///
    /// - Parameter connection: the one that was shown the event, which may be lost since.
    public func head(of code: String, at version: Int, seenOn connection: Int? = nil) -> String? {
        let lost = connection.flatMap { connections[$0]?.lostLog }
        return (lost ?? rooms[code]?.log)?.head(at: version)?.hex
    }

    // MARK: What befalls the hub

    /// A hub with so many loops has started. Earlier connections are gone, and unanswered requests stay unanswered.
    /// `last`: when its rooms could last be played, as seen from outside; `now`: by its clock.
    public func hubStarted(loops: Int, lastPlayed last: Int?, now: Int) {
        forgetConnections()
        context.openings.hubStarted()
        context.hubStarted(at: now)
        isServing = true
        context.hubHindered()
        if let last, last < now {
            context.findings.expect(
                context.outages.contains { $0.loop == nil && $0.from <= last && $0.to >= now },
                "time in which no hub ran is an outage of all rooms", "from \(last) to \(now)")
        }
        for room in rooms.values { room.hubStarted(at: now) }
    }

    /// Something keeps the hub from its work, or has until now, so that deadlines may be missed.
    public func hubHindered() { context.hubHindered() }

    /// Each loop has turned at `now`: what is due is done, apart from what was hindered.
    public func loopsTurned(at now: Int) {
        guard broken == nil else { return }
        context.timePassed(to: now)
        let busy = rooms.values.filter { !$0.connections.isEmpty }
        for room in busy.count > 1 ? busy.sorted(by: { $0.code < $1.code }) : busy { RoomCheck(room: room).checkTime() }
        let overdue = rooms.values.lazy.map(RoomCheck.init).filter(\.isOverdue)
        overdue.min { $0.room.code < $1.room.code }?.checkDue(at: now)
        for number in lobbies.keys.sorted() {
            lobbies[number]?.checkTime(in: check("lobby, connection \(number)"))
        }
    }

    /// The hub has died.
    public func hubDied() {
        isServing = false
        forgetConnections()
    }

    func forgetQuestions(of request: Int) { (downloads[request], questions[request]) = (nil, nil) }

    private func forgetConnections() {
        (nodesOfConnections, nodesOfRequests) = ([:], [:])
        context.accounts.hubDied()
        (downloads, questions, lobbies) = ([:], [:], [:])
        for number in connections.keys.sorted() { connections[number]?.connectionClosed() }
        connections = [:]
    }

    /// All that was due by `now` (hub time) is done: no fault is under way, the only messages under way are those that
    /// clients do not read, and each loop has turned at `now`.
    public func cameToRest(at now: Int) {
        guard broken == nil else { return }
        context.timePassed(to: now)
        context.accounts.cameToRest()
        for code in rooms.keys.sorted() {
            guard let room = rooms[code] else { continue }
            let present = room.present
            for connection in room.connections.values.sorted(by: { $0.number < $1.number }) {
                RestCheck(connection: connection, room: room).run(present, at: now)
            }
            RoomCheck(room: room).checkRest(at: now)
        }
    }
}
