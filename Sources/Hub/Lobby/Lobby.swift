import EventStore
import Games
import Rooms
import WebProtocols

/// The live list of open rooms. It sends `rooms` to each new connection, and then the changes. Lives on the first
/// shard, which hears of rooms from the read models. It holds nothing while no one is connected.
final class Lobby {
    /// The pause between two rounds of changes, in which each room changes at most once.
    static let pause: Milliseconds = 1_000
    /// Rooms in the list, which are the last to have changed.
    static let roomLimit = API.listLimit
    /// Most changes in a round, since the loop also serves rooms. The rest follow a pause later.
    static let changeLimit = 64
    /// How long rows may take to catch up with the log after a database may have failed over: longer than rows may lag
    /// behind a room's moves.
    static let settling: Milliseconds = 10_000

    private enum Life { case asleep, loading, awake }

    private let surroundings: RoomSurroundings
    private let readModels: ReadModels
    let names: HostNames
    /// Whether this node writes the rows and reports each of them. Otherwise they are read once a second.
    var isToldOfRows = true
    /// Whether the rows hold all rooms. While they are rebuilt, a room without a row may still exist.
    var areRowsWhole = true
    private(set) var members: [LobbyMember] = []
    private var life = Life.asleep
    private var rooms: [String: LobbyEntry] = [:]
    /// Rooms whose change is not sent yet, and the last one sent. The others follow it in order, so each has its turn.
    private var changed: Set<String> = []
    private var lastTold = ""
    /// The whole list, framed for all new connections until it changes.
    private var list: Frame?
    /// Whether there may be rooms that did not fit into the list.
    private var hasMore = false
    /// Whether rows are being read, which may be older than what happens until they arrive.
    private var isReading = false
    /// Whether another node may have written rows that were not reported here.
    private var mayHaveMissed = false
    /// Until this time, rows that are read may be older than what is known here, though nothing is lost.
    private var rowsSettleAt: Milliseconds = 0
    /// How many times the list was asked for, so that answers to earlier questions are recognized.
    private var wakings = 0

    init(surroundings: RoomSurroundings, readModels: ReadModels) {
        (self.surroundings, self.readModels, names) = (surroundings, readModels, HostNames(readModels))
    }

    /// A new connection to the lobby; nil if it had to be closed at once.
    func enter(_ channel: any MemberChannel) -> LobbyMember? {
        guard members.count < surroundings.limits.lobbyMembers else {
            surroundings.counters.hit(.lobbyMembers)
            channel.close(.tryAgainLater, "the lobby has too many connections")
            return nil
        }
        let member = LobbyMember(of: self, channel: channel, surroundings: surroundings)
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

    /// A text message of a member, which may only ask for a pong.
    func messageArrived(_ bytes: RawSpan, from member: LobbyMember) {
        do throws(Rejection) { try member.takeMessage() } catch {
            surroundings.counters.refused(error)
            return member.refuse(error)
        }
        do throws(ClientMessage.Refusal) {
            switch try ClientMessage.read(bytes) {
            // A list needs no hello, but one does no harm.
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

    /// Sends every member a frame that is not about rooms.
    func tell(_ frame: Frame) { for member in members { answer(member, frame) } }

    /// A room has changed to what its row shows; `isRead` if the row comes from the read models and not from the room.
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
        // While rows are read, closed rooms are recorded too, since the row that arrives may be older.
        guard entry.isOpenToAll || old != nil || isReading else { return }
        old?.isDoubtful = false
        guard entry != old else { return }
        rooms[row.code] = entry
        names.add(row.host)
        if !isRead { names.ask() }
        noteChange(row.code)
    }

    /// From now on this node reports all rows. Others may have written some since the list was read.
    func rowsBegun() {
        mayHaveMissed = true
        names.nameChanged(of: nil)
    }

    /// The database may have failed over and lost something that is known here.
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
        surroundings.timers.arm(.lobby, at: surroundings.now + Self.pause)
        load { [self] rows in
            guard let rows else {
                // The next connection asks again.
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

    /// Where rooms have disappeared, others that did not fit come in.
    private func refill() {
        guard areRowsWhole else { return }
        // Rows that another node writes are read, since nothing reports them here.
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

    /// Rooms that belong among the open ones but were not read are closed or unlisted. Only the rooms `known` when the
    /// rows were asked for are checked, since others were reported later.
    private func noteGone(behind rows: [RoomRow], known: [String: RoomRow]) {
        let listed = Set(rows.map(\.code))
        let last = rows.count < Self.roomLimit ? nil : rows.last
        for code in rooms.keys.sorted() where !listed.contains(code) {
            // A room after the last row that was read may still be open, since the list had no place for it.
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

    /// Calls `then` with the rooms that HTTP would list, or with nil if they cannot be read.
    private func load(then: @escaping ([RoomRow]?) -> Void) {
        let waking = wakings
        isReading = true
        readModels.find(.openRooms(limit: Self.roomLimit)) { [self] result in
            // All members have left since then, and some may have come back.
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
        surroundings.timers.cancel(.lobby)
    }

    /// Once a second while members are connected, sends the changes.
    func sendChanges() {
        guard life != .asleep else { return }
        surroundings.timers.arm(.lobby, at: surroundings.now + Self.pause)
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

    /// Presence and hosts' names are not reported, so both are looked up.
    private func lookAtPeople() {
        for (code, entry) in rooms {
            let (count, name) = (surroundings.presence.count(in: code), names[entry.row.host])
            guard count != entry.presence || name != entry.hostName else { continue }
            rooms[code]?.presence = count
            rooms[code]?.hostName = name
            noteChange(code)
        }
    }

    /// Keeps the rooms that have changed last. Closed rooms are not among them, and disappear once that is sent.
    private func shorten() {
        guard rooms.count > Self.roomLimit else { return }
        for entry in lastChanged.dropFirst(Self.roomLimit) {
            rooms[entry.row.code] = nil
            hasMore = true
            noteChange(entry.row.code)
        }
    }

    /// In the order of lists, the last changed first.
    private var lastChanged: [LobbyEntry] {
        rooms.values.filter(\.isOpenToAll).sorted { $0.row.isListed(before: $1.row) }
    }

    /// `room`, or `room-gone` for a room that has left the list; nil for one that members never had.
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

    /// The member's socket may have taken everything. A member that was too slow now gets one `rooms`.
    func drained(_ member: LobbyMember) {
        if life == .awake { member.catchUp(now: surroundings.now) { wholeList() } }
    }
}
