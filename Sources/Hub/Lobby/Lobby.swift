import EventStore
import Games
import WebProtocols

/// The list of open rooms, live: `rooms` to whoever comes in, and from then on what has changed. Lives on the first
/// shard, where the read models learn what becomes of rooms; it holds nothing while nobody looks.
final class Lobby {
    static let timer: UInt64 = .max - 1
    /// Changes go out at most this often: so a room changes at most once in that time.
    static let pause: Milliseconds = 1_000
    /// Rooms in the list: those that have changed last.
    static let roomLimit = API.listLimit
    /// Most changes that go out at a time, for the loop has rooms to serve, too; the others follow a pause later.
    static let changeLimit = 64
    /// Behind a database that may have failed over rows have caught up with the log by then: longer than they may be
    /// behind a room's moves.
    static let settling: Milliseconds = 10_000

    private enum Life { case asleep, loading, awake }

    private let surroundings: RoomSurroundings
    let names: HostNames
    /// Whether rows are written by this node, which tells of each: else they are read once a second.
    var isToldOfRows = true
    /// Whether the rows hold all rooms: while they are built again, a room that is not among them is not gone.
    var areRowsWhole = true
    private(set) var members: [LobbyMember] = []
    private var life = Life.asleep
    private var rooms: [String: LobbyEntry] = [:]
    /// Rooms whose change is not told yet, and the last one told: the next follow after it, so that each has its turn.
    private var changed: Set<String> = []
    private var lastTold = ""
    /// The whole list, framed for all who come until it changes.
    private var list: Frame?
    /// Whether there may be rooms that the list has had no place for.
    private var hasMore = false
    /// Whether rows are on their way, which may be older than what happens meanwhile.
    private var isReading = false
    /// Whether another node may have written rows that nobody told of here.
    private var mayHaveMissed = false
    /// Until when rows that are read may be behind what is known here, though nothing of that is lost.
    private var rowsSettleAt: Milliseconds = 0
    /// Times that the list was asked for: an answer to an earlier question is not this one's.
    private var wakings = 0

    init(surroundings: RoomSurroundings) {
        (self.surroundings, names) = (surroundings, HostNames(surroundings.readModels))
    }

    /// A connection to the lobby, upgraded. Nil where it had to be closed at once.
    func enter(_ channel: any MemberChannel) -> LobbyMember? {
        guard members.count < surroundings.limits.lobbyMembers else {
            surroundings.counters.hit(.lobbyMembers)
            channel.close(.tryAgainLater, "the lobby has too many connections")
            return nil
        }
        let member = LobbyMember(channel: channel, surroundings: surroundings)
        members.append(member)
        surroundings.counters.lobby.set(members.count)
        switch life {
        case .asleep: wake()
        case .loading: break
        case .awake: member.send(wholeList())
        }
        return member
    }

    func closed(_ member: LobbyMember) {
        guard let index = members.firstIndex(where: { $0 === member }) else { return }
        members.swapAt(index, members.count - 1)
        members.removeLast()
        surroundings.counters.lobby.set(members.count)
        if members.isEmpty { sleep() }
    }

    /// A text message of a member: it may ask for a pong, and has nothing else to say.
    func received(_ bytes: RawSpan, from member: LobbyMember) {
        do throws(Rejection) { try member.takeMessage() } catch {
            surroundings.counters.refused(error)
            return member.refuse(error)
        }
        do throws(ClientMessage.Refusal) {
            switch try ClientMessage.read(bytes) {
            // Nobody has to say who they are to look at a list; who says so all the same does no harm.
            case .hello: break
            case .ping(let number): answer(member, HubMessage.pong(number, now: surroundings.now))
            case .command(let id, let type, _): refuse(member, id, .unknownType(type))
            }
        } catch {
            if let limit = error.limit { surroundings.counters.hit(limit) }
            refuse(member, error.id, error.rejection)
        }
    }

    private func refuse(_ member: LobbyMember, _ id: String?, _ rejection: Rejection) {
        surroundings.counters.refused(rejection)
        answer(member, HubMessage.error(id, rejection))
    }

    private func answer(_ member: LobbyMember, _ frame: Frame) {
        member.answer(frame, now: surroundings.now)
    }

    /// Tells everybody something that has nothing to do with rooms.
    func tell(_ frame: Frame) { for member in members { answer(member, frame) } }

    /// What has become of a room, as its row shows it. `isRead`: the row was found among those of the read models; the
    /// room has not told of it just now.
    func roomChanged(_ row: RoomRow, isRead: Bool = false) {
        guard life != .asleep else { return }
        var old = rooms[row.code]
        if let old, old.row.version > row.version {
            guard old.isDoubtful, !isRead || surroundings.now >= rowsSettleAt else { return }
        }
        rooms[row.code]?.isDoubtful = false
        let entry = LobbyEntry(
            row: row, presence: surroundings.presence.count(in: row.code), hostName: names[row.host],
            isTold: old?.isTold ?? false)
        // While rows are read, a room that is closed is noted, too: the one that comes may be older.
        guard entry.isOpenToAll || old != nil || isReading else { return }
        old?.isDoubtful = false
        guard entry != old else { return }
        rooms[row.code] = entry
        names.add(row.host)
        if !isRead { names.ask() }
        noteChange(row.code)
    }

    /// From now on this node tells of all rows; others may have written some since the list was read.
    func rowsBegun() {
        mayHaveMissed = true
        names.nameChanged(of: nil)
    }

    /// The database may have failed over, and hold less than is known here.
    func doubtRows() {
        rowsSettleAt = surroundings.now + Self.settling
        for code in rooms.keys { rooms[code]?.isDoubtful = true }
    }

    private func noteChange(_ code: String) {
        changed.insert(code)
        list = nil
    }

    private func wake() {
        (life, mayHaveMissed) = (.loading, false)
        wakings += 1
        surroundings.timers.arm(Self.timer, at: surroundings.now + Self.pause)
        load { [self] rows in
            guard let rows else {
                // Whoever comes next asks anew.
                sleep()
                for member in members { member.close(.tryAgainLater, "the list cannot be read right now") }
                return
            }
            for row in rows { roomChanged(row, isRead: true) }
            names.ask { [self] in
                life = .awake
                lookAtPeople()
                rooms = rooms.filter { $0.value.isOpenToAll }
                shorten()
                changed = []
                list = nil
                for member in members { member.send(wholeList()) }
            }
        }
    }

    /// Where rooms have gone, those that there was no place for come in again.
    private func refill() {
        guard areRowsWhole else { return }
        // Rows that another node writes are looked at: nobody tells of them here.
        guard !isToldOfRows || mayHaveMissed else { return refillWhereTold() }
        guard !isReading else { return }
        mayHaveMissed = surroundings.now < rowsSettleAt
        let known = rooms.mapValues(\.row)
        load { [self] rows in
            guard let rows else { return rowsBegun() }
            for row in rows { roomChanged(row, isRead: true) }
            names.ask()
            noteGone(behind: rows, known: known)
        }
    }

    /// Rooms that would be among the open ones that were read, and are not, are closed or unlisted by now. Only
    /// those are looked at that were `known` when it was asked: others have been told of since.
    private func noteGone(behind rows: [RoomRow], known: [String: RoomRow]) {
        let listed = Set(rows.map(\.code))
        let last = rows.count < Self.roomLimit ? nil : rows.last
        for code in rooms.keys.sorted() where !listed.contains(code) {
            // One that is further down says nothing of itself: there is no place for it.
            guard let row = rooms[code]?.row, row == known[code], last.map({ row.isListed(before: $0) }) ?? true else {
                continue
            }
            rooms[code]?.hasGone = true
            noteChange(code)
        }
    }

    private func refillWhereTold() {
        guard hasMore, !isReading, rooms.values.count(where: \.isOpenToAll) < Self.roomLimit else { return }
        load { [self] rows in for row in rows ?? [] where rooms[row.code] == nil { roomChanged(row) } }
    }

    /// Calls `then` with the rooms that HTTP would list; with nil if they cannot be read.
    private func load(then: @escaping ([RoomRow]?) -> Void) {
        let waking = wakings
        isReading = true
        surroundings.readModels.find(.openRooms(limit: Self.roomLimit)) { [self] result in
            // Everybody has gone meanwhile, and perhaps come again.
            guard life != .asleep, waking == wakings else { return }
            isReading = false
            guard case .success(let rows) = result else { return then(nil) }
            hasMore = rows.count == Self.roomLimit
            then(rows)
        }
    }

    private func sleep() {
        life = .asleep
        rooms = [:]
        changed = []
        list = nil
        (hasMore, isReading) = (false, false)
        names.forgetAll()
        surroundings.timers.cancel(Self.timer)
    }

    /// Once a second while somebody looks: tells what has changed.
    func tick() {
        guard life != .asleep else { return }
        surroundings.timers.arm(Self.timer, at: surroundings.now + Self.pause)
        guard life == .awake else { return }
        for member in members { drained(member) }
        lookAtPeople()
        shorten()
        names.keep(Set(rooms.values.map(\.row.host)))
        names.ask()
        refill()
        guard !changed.isEmpty else { return }
        let waiting = changed.sorted { ($0 <= lastTold ? 1 : 0, $0) < ($1 <= lastTold ? 1 : 0, $1) }
        let codes = waiting.prefix(Self.changeLimit)
        changed.subtract(codes)
        lastTold = codes.last ?? ""
        for code in codes {
            guard let frame = frame(of: code) else { continue }
            for member in members { member.change(frame, now: surroundings.now) }
        }
    }

    /// Nobody reports who is connected, or what hosts are called: both are looked up.
    private func lookAtPeople() {
        for (code, entry) in rooms {
            let (count, name) = (surroundings.presence.count(in: code), names[entry.row.host])
            guard count != entry.presence || name != entry.hostName else { continue }
            rooms[code]?.presence = count
            rooms[code]?.hostName = name
            noteChange(code)
        }
    }

    /// Leaves the rooms that have changed last. One that is closed is none of them; it goes when it has been told of.
    private func shorten() {
        guard rooms.count > Self.roomLimit else { return }
        for entry in lastChanged.dropFirst(Self.roomLimit) {
            rooms[entry.row.code] = nil
            hasMore = true
            noteChange(entry.row.code)
        }
    }

    /// In the order of lists: the last changed first.
    private var lastChanged: [LobbyEntry] {
        rooms.values.filter(\.isOpenToAll).sorted { $0.row.isListed(before: $1.row) }
    }

    /// `room`, or `room-gone` for one that is not in the list any more; nil for one that nobody has been told of.
    private func frame(of code: String) -> Frame? {
        guard let entry = rooms[code] else { return HubMessage.roomGone(code) }
        if entry.isOpenToAll { rooms[code]?.isTold = entry.isListed } else { rooms[code] = nil }
        if entry.isListed { return HubMessage.room(entry.row.listed(entry.presence, hostName: entry.hostName)) }
        return entry.isTold ? HubMessage.roomGone(code) : nil
    }

    private func wholeList() -> Frame {
        if let list { return list }
        let listed = lastChanged.filter(\.isListed)
        for entry in listed { rooms[entry.row.code]?.isTold = true }
        let frame = HubMessage.rooms(listed.map { $0.row.listed($0.presence, hostName: $0.hostName) })
        list = frame
        return frame
    }

    /// The socket of a member may have taken everything: who was too slow is brought up to now by one `rooms`.
    func drained(_ member: LobbyMember) {
        if life == .awake { member.catchUp(now: surroundings.now) { wholeList() } }
    }
}
