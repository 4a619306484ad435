import Hub
import Transport
import WebProtocols

// The connections between people and the hub.
extension World {
    /// Brings something to a loop of the running hub, after what was sent on the same connection before.
    func send(_ arrival: Arrival, to loop: Int, of process: HubProcess, at time: Int) {
        lastArrival &+= 1
        arrivals[lastArrival] = (arrival, loop, process)
        schedule(.arrive, at: time, index: Int(lastArrival))
    }

    func arrive(_ number: UInt32) {
        guard let (arrival, loop, process) = arrivals.removeValue(forKey: number), process.isAlive else { return }
        switch arrival {
        case .message(let link, _) where now >= link.lostFrom: break
        case .request(let exchange) where exchange.isClosed: break
        case .node(let message): lines.messageArrived(message)
        default: process.deliverArrival(arrival, on: loop)
        }
    }

    /// Sends a hub an HTTP request; `then` gets the result.
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
        guard let process = someProcess(), let head = try? RequestHead(method: method, target: target, headers: headers)
        else { return then(.broken) }
        let exchange = HTTPExchange(
            lastRequest, HTTPRequest(head: head, body: body), token: token, from: peer, to: process, then: then)
        process.exchanges[lastRequest] = exchange
        let loop = delays.number(below: settings.loops)
        send(.request(exchange), to: loop, of: process, at: now + delays.number(in: 100...3_000))
        if let span = fates.takeLossOfRequest() { send(.cut(exchange), to: loop, of: process, at: now + span) }
    }

    /// The node to which a balancer brings a client: any that serves.
    private func someProcess() -> HubProcess? {
        guard isCluster else { return nodes[0].process }
        let serving = processes.filter(\.takesClients)
        return serving.isEmpty ? nil : delays.element(of: serving)
    }

    func requestArrived(_ exchange: HTTPExchange, by process: HubProcess, on loop: Int) {
        let head = exchange.request.head
        model.requestArrived(
            exchange.number, method: head.method, target: head.target, token: exchange.token,
            body: exchange.request.body, of: process.node.name)
        process.requestArrived(exchange, on: loop)
    }

    func requestAnswered(_ exchange: HTTPExchange, _ answer: HTTPExchange.Answer) {
        exchange.process.exchanges[exchange.number] = nil
        guard case .response(let status, let body) = answer else { return }
        digest.add(status)
        digest.add(body)
        model.responseSent(
            exchange.number, status: status, fields: exchange.fields.fields.map { ($0.name, $0.value) }, body: body)
    }

    /// Opens a WebSocket that was granted.
    func open(_ purpose: WebSocketPurpose, of person: Person, on loop: Int, _ process: HubProcess) -> Link? {
        guard process.isAlive else { return nil }
        lastLink += 1
        let link = Link(lastLink, purpose, of: person, on: loop, process)
        links[lastLink] = link
        // Messages on it come after this.
        link.lastArrival = now + delays.number(in: 0...500)
        send(.opened(link, purpose), to: loop, of: process, at: link.lastArrival)
        return link
    }

    func linkOpened(_ link: Link, for purpose: WebSocketPurpose, by process: HubProcess) {
        guard link.isOpenAtHub else { return }
        model.connectionOpened(link.number, room: link.room, of: link.process.node.name)
        trace(
            "\(link.process.node.name) has connection \(link.number) of person \(link.person.number)", room: link.room)
        link.end = process.open(link, for: purpose)
    }

    func messageArrived(_ bytes: [UInt8], from link: Link, by process: HubProcess) {
        guard link.isOpenAtHub, let end = link.end else { return }
        digest.add(bytes)
        counts.messages += 1
        trace("\(process.node.name) < \(link.number)", bytes, room: link.room)
        model.messageArrived(link.number, bytes)
        end.messageArrived(bytes.span.bytes)
    }

    func frameSent(_ link: Link, _ frame: Frame) {
        counts.frames += 1
        link.process.node.frames += 1
        digest.add(link.number)
        digest.add(frame.bytes)
        trace("\(link.process.node.name) > \(link.number)", frame.bytes, from: frame.payloadStart, room: link.room)
        model.messageSent(link.number, frame.bytes, from: frame.payloadStart)
    }

    func closedByHub(_ link: Link, code: Int) {
        digest.add(code)
        counts.closings[code, default: 0] += 1
        model.connectionClosed(link.number, code: code)
        link.endAtHub()
        link.endAtClient()
        // The transport reports it to the service in a later turn.
        send(.closed(link), to: link.loop, of: link.process, at: now)
    }

    /// The hub learns that the connection has ended.
    func linkClosed(_ link: Link, by process: HubProcess) {
        links[link.number] = nil
        trace("\(process.node.name) notices the end of \(link.number)", room: link.room)
        if link.isOpenAtHub { model.connectionClosed(link.number, code: nil) }
        link.endAtHub()
        guard let end = link.end else { return }
        link.end = nil
        end.closed()
    }

    // MARK: What people do with a line

    /// Asks for something with a device's token; `then` gets the status and body of the answer, with status 0 if none
    /// came.
    func ask(
        _ method: String, _ target: String, of person: Person, _ device: Device, body: String = "",
        then: @escaping (Int, [UInt8]) -> Void
    ) {
        device.isWaiting = true
        request(method, target, token: device.token, body: Array(body.utf8), from: person.peer) { answer in
            device.isWaiting = false
            guard case .response(let status, let body) = answer else { return then(0, []) }
            then(status, body)
        }
    }

    /// The client ends a connection, or it breaks. Messages to the client after the first `count` are lost. The hub
    /// learns of it some time later.
    func hangUp(_ link: Link, keeping count: Int, noticedAfter span: Int = 1_000) {
        guard link.isOpenAtClient else { return }
        link.breakAtClient(keeping: count)
        send(.closed(link), to: link.loop, of: link.process, at: max(link.lastArrival, now) + span)
    }

    /// All connections of clients to a process end, which it notices when it next receives anything.
    func loseClients(of process: HubProcess) {
        for link in links(of: process) { hangUp(link, keeping: link.unreadCount) }
    }

    /// In the order in which they were opened.
    func links(of process: HubProcess) -> [Link] {
        links.values.filter { $0.process === process }.sorted { $0.number < $1.number }
    }

    /// The client has read everything of a queue that was full.
    func linkDrained(_ link: Link) {
        guard link.isOpenAtHub else { return }
        send(.drained(link), to: link.loop, of: link.process, at: now)
    }

    /// Whether a person without a room opens one, rather than joining one.
    func wantsRoom(_ choices: inout Choices) -> Bool {
        rooms.isEmpty || rooms.count < settings.rooms && choices.chance(1, in: 3)
    }

    /// A room to join, more often one of the newest.
    func someRoom(_ choices: inout Choices) -> String? {
        guard !rooms.isEmpty else { return nil }
        let newest = rooms.suffix(settings.rooms)
        return newest[newest.startIndex + choices.number(below: newest.count)]
    }
}
