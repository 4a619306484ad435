import JSON

/// A room as lists show it, as far as that follows from its log: the members of `http.rooms` without presence.
struct ListedRoom: Equatable {
    let game: String
    let options: Fields
    let visibility: String
    let host: String
    let taken: Int
    let computers: Int
    let all: Int
    let status: String
    /// The players that a running game waits for, in order of seats.
    var awaited: [String]

    /// Whether everyone may find it.
    var isForAll: Bool { visibility != "unlisted" && status != RoomSight.Status.closed.name }

    func isSame(butForAwaited other: ListedRoom) -> Bool {
        var other = other
        other.awaited = awaited
        return self == other
    }
}

extension RoomFold {
    var listed: ListedRoom {
        ListedRoom(
            game: game, options: options, visibility: visibility, host: host,
            taken: seats.count { $0.player != nil }, computers: seats.count { $0.bot != nil || $0.helped != nil },
            all: seats.count, status: status.name, awaited: awaitedPlayers)
    }

    /// The players that a running game waits for, in order of seats.
    var awaitedPlayers: [String] {
        guard status == .running, let running else { return [] }
        return running.awaited.compactMap { seats.indices.contains($0) ? seats[$0].player : nil }
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
    let others: [String: Value]

    private static let names: Set = [
        "code", "game", "options", "visibility", "host", "seats", "status", "awaited", "present", "spectators",
        "hostName",
    ]

    /// Nil if it is not an entry, or has members besides its own and `others`.
    init?(_ json: Value, with others: Set<String> = []) {
        guard json.elements.allSatisfy({ Self.names.contains($0.0) || others.contains($0.0) }),
            let code = json["code"]?.string, let game = json["game"]?.string, let options = json["options"]?.object,
            let visibility = json["visibility"]?.string, let host = json["host"]?.string, let seats = json["seats"],
            let taken = seats["taken"]?.integer, let computers = seats["computers"]?.integer,
            let all = seats["all"]?.integer, seats.elements.count == 3, let status = json["status"]?.string,
            let present = json["present"]?.integer, let spectators = json["spectators"]?.integer,
            let awaited = json["awaited"].map(\.strings) ?? []
        else { return nil }
        self.code = code
        listed = ListedRoom(
            game: game, options: options, visibility: visibility, host: host, taken: taken, computers: computers,
            all: all, status: status, awaited: awaited)
        (self.present, self.spectators, hostName) = (present, spectators, json["hostName"]?.string)
        self.others = Dictionary(json.elements.filter { others.contains($0.0) }) { $1 }
    }
}
