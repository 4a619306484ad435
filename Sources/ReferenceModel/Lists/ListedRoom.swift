/// A room as lists show it, as far as that follows from its log: the members of `http.rooms` without presence.
struct ListedRoom: Equatable {
    let game: String
    let options: JSON
    let visibility: String
    let host: String
    let taken: Int
    let computers: Int
    let all: Int
    let status: String
    /// The player whose move a running game waits for.
    let turn: String?

    /// Whether everyone may find it.
    var isForAll: Bool { visibility != "unlisted" && status != RoomFold.Status.closed.rawValue }

    func isSame(butForTurn other: ListedRoom) -> Bool { self == other.with(turn: turn) }

    func with(turn: String?) -> ListedRoom {
        ListedRoom(
            game: game, options: options, visibility: visibility, host: host, taken: taken, computers: computers,
            all: all, status: status, turn: turn)
    }
}

extension RoomFold {
    var listed: ListedRoom {
        ListedRoom(
            game: game, options: options, visibility: visibility, host: host,
            taken: seats.count { $0.player != nil }, computers: seats.count { $0.bot != nil || $0.helped != nil },
            all: seats.count, status: status.rawValue, turn: awaitedPlayer)
    }

    /// The player whose move a running game waits for.
    var awaitedPlayer: String? {
        guard status == .running, let running, running.waitsForMove else { return nil }
        return seats.indices.contains(running.turn) ? seats[running.turn].player : nil
    }
}

/// An entry of a list.
struct ListEntry {
    let code: String
    let listed: ListedRoom
    let present: Int
    let spectators: Int
    let hostName: String?
    /// Its other members: `names`, `players`.
    let others: [String: JSON]

    private static let members: Set = [
        "code", "game", "options", "visibility", "host", "seats", "status", "turn", "present", "spectators", "hostName",
    ]

    /// Nil if it is not an entry, or has members besides its own and `others`.
    init?(_ json: JSON, with others: Set<String> = []) {
        guard let members = json.members,
            members.allSatisfy({ Self.members.contains($0.name) || others.contains($0.name) }),
            let code = json["code"]?.text, let game = json["game"]?.text, let options = json["options"],
            let visibility = json["visibility"]?.text, let host = json["host"]?.text, let seats = json["seats"],
            let taken = seats["taken"]?.number, let computers = seats["computers"]?.number,
            let all = seats["all"]?.number, seats.members?.count == 3, let status = json["status"]?.text,
            let present = json["present"]?.number, let spectators = json["spectators"]?.number
        else { return nil }
        self.code = code
        listed = ListedRoom(
            game: game, options: options, visibility: visibility, host: host, taken: taken, computers: computers,
            all: all, status: status, turn: json["turn"]?.text)
        (self.present, self.spectators, hostName) = (present, spectators, json["hostName"]?.text)
        self.others = Dictionary(members.filter { others.contains($0.name) }.map { ($0.name, $0.value) }) { $1 }
    }
}
