import JSON

/// A WebSocket to the lobby: the list of rooms that it was sent, as it changes.
final class LobbyModel: PlacedCheck {
    let number: Int
    private let context: ModelContext
    private let rooms: (String) -> RoomModel?
    private let openedAt: Int
    /// When the list was last checked, which is slow.
    private var checkedAt = 0
    /// When the whole list was last sent; nil if not yet.
    private var listedAt: Int?
    private var entries: [String: ListEntry] = [:]
    /// The entry of each room's listing that was last sent. Older ones must not follow.
    private var numbers: [String: Int] = [:]
    /// When each room was last sent outside whole lists.
    private var toldAt: [String: Int] = [:]
    /// Unanswered messages: numbers of pings, ids of all others, nil for unreadable ones.
    private var pings: [ConnectionModel.Ping] = []
    private var others: [String?] = []
    /// Messages refused by answers that do not say which.
    private var refusedCount = 0
    /// Whether the client reads.
    var isReading = true { didSet { if !isReading { hasBeenSlow = true } } }
    /// A client that reads too slowly gets only the newest answer.
    private var hasBeenSlow = false
    private var said = SaidCounts()

    /// A room is sent at most this often, in ms.
    private static let pause = 1_000

    init(number: Int, context: ModelContext, rooms: @escaping (String) -> RoomModel?) {
        (self.number, self.context, self.rooms) = (number, context, rooms)
        openedAt = context.now
    }

    var findings: Findings { context.findings }
    var place: String { "lobby, connection \(number)" }

    // MARK: What is asked

    func messageArrived(_ bytes: [UInt8]) {
        let message = Value.read(bytes, limit: JSONReader.clientValueLimit)
        said.countMessage(message?["type"]?.string, at: context.now)
        switch message?["type"]?.string {
        case "hello": break
        case "ping":
            guard let number = message?["n"]?.integer else { return others.append(nil) }
            pings.append(ConnectionModel.Ping(number: number, askedAt: context.now))
        default: others.append(message?["id"]?.string)
        }
    }

    // MARK: What is told

    func messageSent(_ bytes: [UInt8], from start: Int, in check: ListCheck) {
        guard let message = Value.read(bytes, from: start), let type = message["type"]?.string else {
            return recordBreach(
                "a message is a Value object with a type", String(decoding: bytes[start...], as: UTF8.self))
        }
        switch type {
        case "rooms": tellAll(message["rooms"]?.list ?? [], in: check)
        case "room": tell(message["room"] ?? .null, in: check)
        case "room-gone": tellGone(message["code"]?.string ?? "")
        case "pong": answerSent(message)
        case "error": refusalSent(message)
        case "notice": break
        default: recordBreach("the lobby only speaks of rooms", "\(message)")
        }
    }

    private func tellAll(_ list: [Value], in check: ListCheck) {
        listedAt = context.now
        entries = [:]
        for json in list {
            guard let (entry, number) = check.check(json) else { continue }
            expect(entries[entry.code] == nil, "a list has each room once", "\(json)")
            (entries[entry.code], numbers[entry.code]) = (entry, number)
        }
    }

    private func tell(_ json: Value, in check: ListCheck) {
        // Rows that have gone back with the database may be older than what was sent in between.
        let first = context.mayKnowLost ? nil : numbers[json["code"]?.string ?? ""]
        guard let (entry, number) = check.check(json, from: first ?? 0) else { return }
        (entries[entry.code], numbers[entry.code]) = (entry, number)
        noteTold(entry.code)
    }

    private func tellGone(_ code: String) {
        guard let room = rooms(code), room.listing.wasForAll else {
            return recordBreach("a list has only rooms that everyone may find", "\(code) is gone")
        }
        entries[code] = nil
        noteTold(code)
    }

    /// Rooms may be as they were before.
    func wentBack() { numbers = [:] }

    private func noteTold(_ code: String) {
        expect(listedAt != nil, "the lobby sends all rooms first", code)
        if let last = toldAt[code] {
            expect(
                context.moment - last >= Self.pause - context.clockLag, "the lobby sends a room at most once a second",
                "\(code) at \(last) and \(context.moment)")
        }
        toldAt[code] = context.moment
    }

    private func answerSent(_ message: Value) {
        guard let number = message["n"]?.integer, let index = pings.firstIndex(where: { $0.number == number }) else {
            return recordBreach("a pong answers a ping", "\(message)")
        }
        // Pings that came too fast were refused.
        expect(hasBeenSlow || index <= refusedCount, "pings are answered in order", "\(message)")
        context.checkTime(message["now"]?.integer, from: pings[index].askedAt, "\(place), a pong")
        pings.removeFirst(index + 1)
    }

    private func refusalSent(_ message: Value) {
        let code = message["code"]?.string
        if code == "too-fast" { return refusedCount += 1 }
        let id = message["id"]?.string
        guard let index = others.firstIndex(where: { $0 == id || id == nil }) else {
            return recordBreach("an error answers something that was said", "\(message)")
        }
        others.remove(at: index)
        expect(
            code == "unknown-type" || code == "bad-json" || code == "bad-field",
            "nothing else can be said in the lobby", "\(message)")
    }

    func checkClosing(_ code: Int) {
        ClosingCheck(
            code: code, context: context, said: said, reads: isReading && !hasBeenSlow, isNew: listedAt == nil
        )
        .run(isRefused: false, place)
    }

    // MARK: Time

    /// Checks that everything has arrived that no longer has a reason to wait.
    func checkTime(in check: ListCheck) {
        let time = context.now - context.listSpan
        guard isReading, openedAt <= time, context.hinderedAt <= time, checkedAt <= time else { return }
        checkedAt = context.now
        guard listedAt != nil else { return findings.recordBreach("the lobby sends all rooms first", place) }
        expect(hasBeenSlow || pings.count <= refusedCount, "a ping is answered", "\(pings)")
        check.checkFreshness(of: entries, since: time)
    }
}

extension RoomListing {
    /// Whether everyone may find the room, or could recently.
    fileprivate var wasForAll: Bool { entries.contains { $0.room.isForAll } }
}
