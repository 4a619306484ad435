import Games
import JSON
import RoomRules
import WebProtocols

/// Who is in a room, as its members are told: all of it by their greetings, and from then on what changes.
struct Presence {
    /// Who is there. In a crowd only those with a seat, and the host, by themselves.
    struct Shown: Equatable {
        var players: Set<PlayerID> = []
        /// Players without a seat, and connections without a name.
        var spectators = 0

        var fields: Fields {
            ["players": .strings(players.sorted()), "spectators": .integer(spectators)]
        }
    }

    /// Changes go out at most this often, but for a new player on a seat, and new names.
    static let pause: Milliseconds = 250
    /// In a crowd; more slowly, since each goes out to all.
    static let crowdPause: Milliseconds = 1_000
    /// With more players than this, those who have no seat are only counted.
    static let crowd = 100
    /// With no more than this, each is shown again: not at once below `crowd`, or one player who comes and goes would
    /// have all the others come and go, too.
    static let crowdEnds = 80
    /// Most players whose names are kept told because they reacted: as many as lines of chat.
    static let reactingLimit = Chat.lineLimit

    /// Of all whom anything shown of the room names, and of all who are connected.
    private(set) var names: [PlayerID: String] = [:]
    /// As members were told last.
    private(set) var shown = Shown()
    private(set) var isCrowd = false
    /// Players whose names all members know: greetings have them, and changes of them are told.
    private(set) var named: Set<PlayerID> = []
    /// Those of them who are named because they reacted.
    private var reacting: Set<PlayerID> = []
    /// Players who are called otherwise than members were told, connected or not.
    private var renamed: Set<PlayerID> = []
    /// Whether anything may have changed since it was sent.
    private var isDue = false
    private var sent: Milliseconds = 0
    /// What greetings have of it, as it was written for one of them; nil: it has changed since.
    private var written: GreetingPart?

    /// When it is to be sent next; nil if nothing has changed since.
    var next: Milliseconds? { isDue ? sent + (isCrowd ? Self.crowdPause : Self.pause) : nil }

    /// - Parameter isNewName: a name is seen that the others may not know: that does not wait.
    mutating func change(isNewName: Bool) {
        isDue = true
        if isNewName { sent = 0 }
    }

    /// Whether those who are connected are too many to be shown.
    mutating func count(_ connected: Int) { isCrowd = connected > (isCrowd ? Self.crowdEnds : Self.crowd) }

    // MARK: Names

    /// The name of a player; nil: it is not known, or was given up.
    mutating func setName(_ name: String?, of player: PlayerID) {
        guard names[player] != name else { return }
        names[player] = name
        if written?.players.contains(player) == true { written = nil }
    }

    /// Whether the player was named, by another name than this one; nil: by none.
    mutating func rename(_ player: PlayerID, to name: String?) -> Bool {
        guard let old = names[player], old != name else { return false }
        setName(name, of: player)
        renamed.insert(player)
        return true
    }

    /// Nothing that is shown names the player. That a name was given up is still told.
    mutating func forget(_ player: PlayerID) {
        reacting.remove(player)
        guard names[player] != nil else { return }
        setName(nil, of: player)
        renamed.remove(player)
        named.remove(player)
    }

    func names(of players: some Sequence<PlayerID>) -> [PlayerID: String] {
        players.reduce(into: [:]) { $0[$1] = names[$1] }
    }

    // MARK: What members are told

    /// What members are to be told of those who are there now; nil if they know it. From then on they do.
    /// `needed`: those whose names they need besides.
    mutating func update(to now: Shown, naming needed: Set<PlayerID>, at time: Milliseconds) -> Frame? {
        (isDue, sent) = (false, time)
        let all = now.players.union(needed).union(reacting)
        let new = all.subtracting(named).filter { names[$0] != nil }
        let changed = renamed.intersection(named)
        let (came, went) = (now.players.subtracting(shown.players), shown.players.subtracting(now.players))
        let isTold = now == shown && new.isEmpty && changed.isEmpty
        let known = all.filter { names[$0] != nil }
        if !isTold || known != named { written = nil }
        (shown, named, renamed) = (now, known, [])
        guard !isTold else { return nil }
        // Who comes back may have been renamed since.
        let told = new.union(changed).union(came)
        return HubMessage.presence(
            came: came.sorted(), went: went.sorted(), spectators: now.spectators, names: names(of: told),
            nameless: told.filter { names[$0] == nil })
    }

    /// What members are told of a player whose name they do not know, and who is about to speak; nil: they know it.
    mutating func introduce(_ player: PlayerID, by message: Chat.Message) -> Frame? {
        guard !named.contains(player), names[player] != nil else { return nil }
        named.insert(player)
        written = nil
        if case .reaction = message {
            if reacting.count >= Self.reactingLimit { reacting = [] }
            reacting.insert(player)
        }
        return name(of: player)
    }

    /// What the player is called, and nothing else that is new.
    func name(of player: PlayerID) -> Frame {
        HubMessage.presence(
            came: [], went: [], spectators: shown.spectators, names: names(of: [player]), nameless: [])
    }

    /// The part of a greeting that is the same for all until something of it changes. `needed`: as for `update`.
    mutating func greetingPart(at version: Int, naming needed: () -> Set<PlayerID>, _ chat: Chat) -> GreetingPart {
        if let written, written.version == version { return written }
        let players = named.union(needed())
        let part = GreetingPart(
            version: version, players: players,
            bytes: HubMessage.greetingPart(names: names(of: players), presence: shown, chat: chat))
        written = part
        return part
    }

    /// A line of chat is new: greetings have it.
    mutating func chatChanged() { written = nil }
}

/// What all greetings have in common besides the room: who is there, what was said, and names.
struct GreetingPart {
    /// The room's.
    let version: Int
    /// Whose names it has, if they have any.
    let players: Set<PlayerID>
    /// To follow other fields; `names` is not ended, since a player's own may be missing.
    let bytes: [UInt8]
}
