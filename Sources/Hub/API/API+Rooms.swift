import Cryptography
import EventStore
import Games
import JSON
import Records
import RoomRules
import Rooms
import Transport
import WebProtocols

// Rooms over HTTP.
extension API {
    /// Lower-case letters and digits that are hard to confuse.
    private static let alphabet = Array("23456789abcdefghjkmnpqrstuvwxyz")
    /// 31^6 codes are enough for listed rooms, which anyone may find.
    private static let publicLength = 6
    /// 31^17 is more than 2^84, so that no one finds an unlisted room by trying.
    private static let unlistedLength = 17

    /// The longest code.
    static let codeLimit = unlistedLength

    /// Follows from the code's length alone, so it says how the room was opened, even if that has changed since.
    static func isUnlisted(_ code: String) -> Bool { code.utf8.count != publicLength }
    /// Most codes that are drawn while the drawn ones are taken.
    private static let attemptLimit = 8
    private static let day: Milliseconds = 86_400_000

    /// `GET /api/rooms`.
    func listRooms(_ request: RoutedRequest) -> Future<HTTPResponse> {
        Future.rows(.openRooms(limit: Self.listLimit), of: readModels)
            .map { [presence = surroundings.presence] rows in
                rows.map { ($0, presence.count(in: $0.code)) }.filter(\.1.isSomebody)
            }
            .then { [self] counted in names(of: counted.map(\.0.host)).map { (counted, names: $0) } }
            .map { counted, names in
                let rooms = counted.map { $0.listed($1, hostName: names[$0.host]) }
                    .joined(separator: Array(",".utf8))
                return .json(200, bytes: Array("{\"rooms\":[".utf8) + rooms + Array("]}".utf8))
            }
    }

    /// `GET /api/rooms/{code}`.
    func describeRoom(_ request: RoutedRequest) -> Future<HTTPResponse> {
        description(of: request.parameter, from: request.peer).map { .json(200, bytes: $0) }
    }

    private func description(of code: String, from peer: Peer) -> Future<[UInt8]> {
        ask(.description, about: code, from: peer).map { reply in
            guard case .description(let body) = reply else { preconditionFailure("a room answers what it is asked") }
            return body
        }
    }

    /// `GET /api/rooms/{code}/log?after=V`.
    func downloadLog(_ request: RoutedRequest) throws(RequestError) -> Future<Answer> {
        let code = request.parameter
        let after = try refusing(as: 400, try version(after: request.head))
        return ask(.exists, about: code, from: request.peer).map { _ in .log(code: code, after: after) }
    }

    func send(logOf code: String, after version: Int, for head: RequestHead, _ writer: any ResponseWriter) {
        var headers = HeaderFields().typed("application/x-ndjson")
        headers.set("Vary", "Accept-Encoding")
        let coding = head.accepts(coding: "gzip") ? Gzip(.quick) : nil
        if coding != nil { headers.set("Content-Encoding", "gzip") }
        setAPIFields(in: &headers, for: head)
        if head.method == "HEAD" {
            writer.writeHead(status: 200, headers: headers)
            return writer.finishResponse()
        }
        let download = LogDownload(surroundings, room: code, after: version, coding: coding, headers, writer)
        download.next { [self] in finish(.failure($0), head, writer) }
    }

    private func version(after head: RequestHead) throws(Rejection) -> Int {
        guard let text = head.queryValue("after") else { return 0 }
        guard let version = Int(text), version >= 0 else {
            throw .badField("after", "a version: a whole number from 0")
        }
        return version
    }

    /// `POST /api/rooms`.
    func openRoom(_ request: RoutedRequest) -> Future<HTTPResponse> {
        caller(request)
            .map { [self] player throws(RequestError) in
                let fields = try object(request)
                return try refusing(as: 422, try opening(fields, host: player.id))
            }
            .then { [self] opening in limitRooms(of: opening.host).then { self.append(opening, attempt: 1) } }
            .then { [self] code in recordNewRoom(code).map { code } }
            .then { [self] code in
                opened(code, for: request.peer).map { .json(201, bytes: $0, headers: ["Location": "/room/" + code]) }
            }
    }

    /// The description of a room that was just written. If the room is missing, a database failover has lost it.
    private func opened(_ code: String, for peer: Peer) -> Future<[UInt8]> {
        Future { [self] done in
            description(of: code, from: peer).begin { result in
                done(result.mapError { $0.code == "no-such-room" ? .logUnavailable : $0 })
            }
        }
    }

    private func opening(_ fields: Fields, host: PlayerID) throws(Rejection) -> RoomOpened {
        guard let name = fields["game"]?.string else { throw .badField("game", "the name of a game") }
        guard let game = surroundings.games.game(named: name) else {
            throw .unknownGame(name, there: surroundings.games.names)
        }
        let asked = fields["visibility"] ?? .null
        let visibility = try asked == .null ? .public : Visibility(asked)
        let options = try resolve(fields["options"], of: game)
        return RoomOpened(
            game: name, options: options, visibility: visibility, host: host,
            seed: game.isDealt ? .known(surroundings.random.bytes(Digest.size)) : nil)
    }

    private func resolve<Kind: Game>(_ value: Value?, of game: Kind.Type) throws(Rejection) -> Fields {
        if let type = Kind.eventTypes.first(where: surroundings.unreadable.contains) { throw .olderNode(type) }
        guard let value, value != .null else { return try Kind.options([:]) }
        guard let asked = value.object else { throw .badField("options", "an object") }
        return try Kind.options(asked.withoutNulls)
    }

    /// Refuses a player who has opened too many rooms in the last 24 hours.
    private func limitRooms(of player: PlayerID) -> Future<Void> {
        let (limit, start) = (surroundings.limits.roomsPerDay, surroundings.now - Self.day)
        return Future.rows(.rooms(openedBy: player, since: start, limit: limit), of: readModels).map {
            [surroundings] rows throws(RequestError) in
            guard rows.count < limit else {
                surroundings.counters.hit(.roomsPerDay)
                throw RequestError(
                    429,
                    Rejection(
                        "too-many-rooms", "You have opened \(limit) rooms in 24 hours. Try again later.",
                        values: ["limit": .integer(limit)]))
            }
        }
    }

    /// Opens the room and returns its code.
    private func append(_ opening: RoomOpened, attempt: Int) -> Future<String> {
        let code = drawCode(opening.visibility.isListed ? Self.publicLength : Self.unlistedLength)
        let event = EventCoding.encode(.own(opening), version: 1, at: surroundings.now, more: false)
        let commit = Commit(
            id: "\(opening.host)/open/\(code)", appending: [event], to: .room(code),
            expecting: StreamName.room(code).start)
        return Future { [surroundings] done in
            surroundings.append(commit) { done(.success($0)) }
        }
        .then { [self] outcome throws(RequestError) in
            switch outcome {
            case .appended: return .value(code)
            // The code is taken, which is rare, or the outcome is unknown. Both draw another code.
            case .conflict where attempt < Self.attemptLimit, .repeated where attempt < Self.attemptLimit,
                .outcomeUnknown where attempt < Self.attemptLimit:
                return append(opening, attempt: attempt + 1)
            case .conflict, .claimed, .renewed, .repeated, .outcomeUnknown: throw .logUnavailable
            case .unavailable(let error): throw RequestError(error)
            }
        }
    }

    /// Writes a new room's row before the request is answered, so that the next list has it and limits count it.
    private func recordNewRoom(_ code: String) -> Future<Void> {
        Future { [shard, readModels] done in
            shard.calls.ask(.row, about: code) { reply in
                // A room that cannot be read now is recorded later, like any room that changes.
                if case .row(let row) = reply { readModels.writeRow(row) }
                done(.success(()))
            }
        }
    }

    private func drawCode(_ length: Int) -> String {
        var code = ""
        while code.count < length {
            // Without this, bytes past the last whole multiple would make the first letters more likely.
            let limit = 256 / Self.alphabet.count * Self.alphabet.count
            for byte in surroundings.random.bytes(length) where Int(byte) < limit && code.count < length {
                code.append(Self.alphabet[Int(byte) % Self.alphabet.count])
            }
        }
        return code
    }
}

/// Sends a room's log to a client in pieces, and reads no more than the socket takes.
private final class LogDownload {
    /// Records in a piece. Compressing this many takes 0.2 ms, during which players on the same loop wait.
    static let pieceLimit = 200
    /// What may wait for the socket before the next piece is read.
    static let queueLimitBytes = 256 * 1024

    private let surroundings: RoomSurroundings
    private let room: String
    private var after: Int
    /// Nil if the client accepts none.
    private let coding: Gzip?
    /// The headers of the answer; nil once it has started.
    private var headers: HeaderFields?
    private let writer: any ResponseWriter

    init(
        _ surroundings: RoomSurroundings, room: String, after: Int, coding: Gzip?, _ headers: HeaderFields,
        _ writer: any ResponseWriter
    ) {
        (self.surroundings, self.room, self.after) = (surroundings, room, after)
        (self.coding, self.headers, self.writer) = (coding, headers, writer)
    }

    /// `refuse` answers if nothing could be read. A later failure cuts the answer off.
    func next(orElse refuse: @escaping (RequestError) -> Void) {
        guard !writer.isClosed else { return }
        surroundings.log.load(.room(room), after: after, limit: Self.pieceLimit) { [self] result in
            guard !writer.isClosed else { return }
            switch result {
            case .success(let records): send(records, orElse: refuse)
            case .failure(let error):
                let answer = refusal(for: error)
                if headers == nil { writer.abort() } else { refuse(answer) }
            }
        }
    }

    private func refusal(for error: EventLogError) -> RequestError {
        switch error {
        case .chainBroken, .cannotRead:
            guard !surroundings.isLogDown else { return .logUnavailable }
            surroundings.logBrokenRoom(room, error.sentence)
            return .roomBroken
        default: return RequestError(error)
        }
    }

    private func send(_ records: [Record], orElse refuse: @escaping (RequestError) -> Void) {
        if let headers {
            writer.writeHead(status: 200, headers: headers)
            self.headers = nil
        }
        var lines: [UInt8] = []
        for record in records {
            lines += record.event.shown
            lines.append(UInt8(ascii: "\n"))
        }
        let isLast = records.count < Self.pieceLimit
        writer.send(part: coding?.compress(lines, isLast: isLast) ?? lines)
        guard let last = records.last, !isLast else { return writer.finishResponse() }
        after = last.version
        guard writer.queuedBytes > Self.queueLimitBytes else { return next(orElse: refuse) }
        writer.onDrained = { [self] in
            writer.onDrained = nil
            next(orElse: refuse)
        }
    }
}
