import Cryptography
import EventStore
import Games
import WebProtocols

// Rooms over HTTP.
extension API {
    /// Letters and digits that are not taken for one another; codes are lower-case.
    private static let alphabet = Array("23456789abcdefghjkmnpqrstuvwxyz")
    /// 31^6: rooms of the list, found by their codes anyway.
    private static let publicLength = 6
    /// 31^17 is more than 2^84: nobody finds an unlisted room by trying.
    private static let unlistedLength = 17

    /// Told by the length of the code alone.
    static func isUnlisted(_ code: String) -> Bool { code.utf8.count != publicLength }
    /// How often another code is drawn where the one drawn is taken.
    private static let attemptLimit = 8
    private static let day: Milliseconds = 86_400_000

    /// `GET /api/rooms`.
    func listRooms(_ exchange: any Exchange) {
        let presence = surroundings.presence
        let list = OneAnswer(surroundings) { message in
            guard case .rooms(_, .success(let rows)) = message else {
                return exchange.respond(.refused(503, .logUnavailable))
            }
            var body = Array("{\"rooms\":[".utf8)
            for (index, row) in rows.enumerated() {
                if index > 0 { body.append(UInt8(ascii: ",")) }
                body += row.listed(presence.count(in: row.code))
            }
            exchange.respond(.json(200, bytes: body + Array("]}".utf8)))
        }
        surroundings.projections.openRooms(
            limit: Self.listLimit, ticket: list.ticket, answer: surroundings.inbox)
    }

    /// `GET /api/rooms/{code}`.
    func describe(_ code: String, _ exchange: any Exchange) {
        guard mayFail(exchange) else { return }
        shard.ask(.description, about: code) { [self] reply in
            guard case .description(let body) = reply else { return missing(reply, exchange) }
            exchange.respond(.json(200, bytes: body))
        }
    }

    /// `GET /api/rooms/{code}/log?after=V`.
    func download(_ code: String, _ head: RequestHead, _ exchange: any Exchange) {
        guard mayFail(exchange) else { return }
        var after = 0
        if let text = head.queryValue("after") {
            guard let version = Int(text), version >= 0 else {
                return exchange.respond(.refused(400, .badField("after", "a version: a whole number from 0")))
            }
            after = version
        }
        shard.ask(.exists, about: code) { [self] reply in
            guard reply == .exists else { return missing(reply, exchange) }
            var headers = HeaderFields().typed("application/x-ndjson")
            headers.set("Vary", "Accept-Encoding")
            let coding = head.accepts(coding: "gzip") ? Gzip(.quick) : nil
            if coding != nil { headers.set("Content-Encoding", "gzip") }
            exchange.begin(status: 200, headers: headers)
            if head.method == "HEAD" { return exchange.end() }
            LogDownload(surroundings, stream: .room(code), after: after, coding: coding, exchange).next()
        }
    }

    /// `POST /api/rooms`.
    func openRoom(_ request: HTTPRequest, _ exchange: any Exchange) {
        authenticated(request, exchange) { [self] player in
            guard let fields = object(request, exchange) else { return }
            do throws(Rejection) {
                let opening = try opening(fields, host: player.id)
                limitRooms(of: player, exchange) { self.append(opening, attempt: 1, exchange) }
            } catch { exchange.respond(.refused(422, error)) }
        }
    }

    private func opening(_ fields: Fields, host: PlayerID) throws(Rejection) -> RoomEvent.Opening {
        guard let name = fields["game"]?.string else { throw .badField("game", "the name of a game") }
        guard let game = GameList.game(named: name) else { throw .unknownGame(name) }
        let visibility = try visibility(fields)
        let options = try resolve(fields["options"], of: game)
        return RoomEvent.Opening(
            game: name, options: options, visibility: visibility, host: host,
            seed: isDealt(game) ? .known(surroundings.random.bytes(Digest.size)) : nil)
    }

    private func visibility(_ fields: Fields) throws(Rejection) -> Visibility {
        guard let value = fields["visibility"], value != .null else { return .public }
        guard let visibility = value.string.flatMap({ Visibility(rawValue: $0) }) else {
            throw .badField("visibility", "`public` or `unlisted`")
        }
        return visibility
    }

    private func resolve<Kind: Game>(_ value: Value?, of game: Kind.Type) throws(Rejection) -> Fields {
        guard let value, value != .null else { return try Kind.options([:]) }
        guard let asked = value.object else { throw .badField("options", "an object") }
        return try Kind.options(asked.withoutNulls)
    }

    private func isDealt<Kind: Game>(_ game: Kind.Type) -> Bool { Kind.isDealt }

    /// Calls `then` unless the player has opened too many rooms of late.
    private func limitRooms(of player: PlayerRow, _ exchange: any Exchange, then: @escaping () -> Void) {
        let limit = surroundings.limits.roomsPerDay
        let own = OneAnswer(surroundings) { message in
            guard case .rooms(_, .success(let rows)) = message else {
                return exchange.respond(.refused(503, .logUnavailable))
            }
            guard rows.count < limit else {
                return exchange.respond(
                    .refused(
                        429,
                        Rejection(
                            "too-many-rooms", "You have opened \(limit) rooms in 24 hours: try again later.",
                            values: ["limit": .integer(limit)])))
            }
            then()
        }
        surroundings.projections.rooms(
            openedBy: player.id, since: surroundings.now - Self.day, limit: limit, ticket: own.ticket,
            answer: surroundings.inbox)
    }

    private func append(_ opening: RoomEvent.Opening, attempt: Int, _ exchange: any Exchange) {
        let code = drawCode(opening.visibility == .public ? Self.publicLength : Self.unlistedLength)
        let event = EventCoding.encode(.opened(opening), version: 1, at: surroundings.now)
        let answer = OneAnswer(surroundings) { [self] message in
            guard case .settled(_, let outcome) = message else { return }
            switch outcome {
            case .appended: opened(code, exchange)
            // The code is taken: rare, and another one is drawn. So is it where nobody knows whether it was.
            case .conflict where attempt < Self.attemptLimit, .outcomeUnknown where attempt < Self.attemptLimit:
                append(opening, attempt: attempt + 1, exchange)
            case .conflict, .outcomeUnknown, .unavailable: exchange.respond(.refused(503, .logUnavailable))
            }
        }
        surroundings.log.append(
            Commit(id: "\(opening.host)/open/\(code)", events: [event]), to: .room(code), expecting: 0,
            ticket: answer.ticket, answer: surroundings.inbox)
    }

    private func opened(_ code: String, _ exchange: any Exchange) {
        shard.ask(.row, about: code) { [self] reply in
            // Before the answer, so that whoever asks for the list next finds the room, and limits count it.
            if case .row(let row) = reply { surroundings.projections.apply([.room(row)], reached: nil) }
            describeOpened(code, exchange)
        }
    }

    private func describeOpened(_ code: String, _ exchange: any Exchange) {
        shard.ask(.description, about: code) { [self] reply in
            guard case .description(let body) = reply else { return missing(reply, exchange) }
            exchange.respond(.json(201, bytes: body, headers: ["Location": "/room/" + code]))
        }
    }

    private func drawCode(_ length: Int) -> String {
        var code = ""
        while code.count < length {
            // Bytes past the last whole multiple would make the first letters likelier.
            let limit = 256 / Self.alphabet.count * Self.alphabet.count
            for byte in surroundings.random.bytes(length) where Int(byte) < limit && code.count < length {
                code.append(Self.alphabet[Int(byte) % Self.alphabet.count])
            }
        }
        return code
    }
}

/// A room's log on its way to a client, a piece at a time: no more is read than the socket takes.
private final class LogDownload {
    /// Records that are read at a time: to compress so many takes 0.2 ms, for which players at the same loop wait.
    static let pieceLimit = 200
    /// What may wait for the socket before the next piece is read.
    static let queueLimitBytes = 256 * 1024

    private let surroundings: RoomSurroundings
    private let stream: StreamName
    private var after: Int
    /// Nil where the client takes none.
    private let coding: Gzip?
    private let exchange: any Exchange

    init(
        _ surroundings: RoomSurroundings, stream: StreamName, after: Int, coding: Gzip?, _ exchange: any Exchange
    ) {
        self.surroundings = surroundings
        self.stream = stream
        self.after = after
        self.coding = coding
        self.exchange = exchange
    }

    func next() {
        guard !exchange.isClosed else { return }
        let piece = OneAnswer(surroundings) { [self] message in
            guard case .loaded(_, .success(let records)) = message else { return exchange.abort() }
            send(records)
        }
        surroundings.log.load(
            stream, after: after, limit: Self.pieceLimit, ticket: piece.ticket, answer: surroundings.inbox)
    }

    private func send(_ records: [Record]) {
        var lines: [UInt8] = []
        for record in records {
            lines += record.event.shown
            lines.append(UInt8(ascii: "\n"))
        }
        let isLast = records.count < Self.pieceLimit
        exchange.send(part: coding?.compress(lines, isLast: isLast) ?? lines)
        guard let last = records.last, !isLast else { return exchange.end() }
        after = last.version
        guard exchange.queuedBytes > Self.queueLimitBytes else { return next() }
        exchange.onDrained = { [self] in
            exchange.onDrained = nil
            next()
        }
    }
}
