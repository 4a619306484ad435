import Games
import JSON
import RoomRules
import WebProtocols

/// Who is in a room, as members are shown. A greeting has all of it, and later messages only the changes.
struct Presence {
    /// Who is connected. In a crowd `players` has only the host and players with a seat.
    struct Shown: Equatable {
        var players: Set<PlayerID> = []
        /// Players without a seat, and connections without a name.
        var spectators = 0

        var fields: Fields { ["players": .strings(players.sorted()), "spectators": .integer(spectators)] }
    }

    /// Least time between two messages, except for a new player on a seat and new names.
    static let pause: Milliseconds = 250
    /// The same in a crowd. It is longer, since each message goes to all.
    static let crowdPause: Milliseconds = 1_000
    /// With more players than this, those without a seat are only counted.
    static let crowd = 100
    /// With no more than this, each is shown again. It is below `crowd`, or one player who comes and goes would make
    /// all the others come and go too.
    static let crowdEnds = 80
    /// Most players who are named because they reacted. As many as lines of chat.
    static let reactingLimit = Chat.lineLimit

    /// Names of all connected players, and of all that anything shown of the room refers to.
    private(set) var names: [PlayerID: String] = [:]
    /// As members were last shown.
    private(set) var shown = Shown()
    private(set) var isCrowd = false
    /// Players whose names all members know. Greetings have these names, and changes of them are sent.
    private(set) var named: Set<PlayerID> = []
    /// Those of them who are named because they reacted.
    private var reacting: Set<PlayerID> = []
    /// Players with another name than members were shown, connected or not.
    private var renamed: Set<PlayerID> = []
    /// Whether anything may have changed since the last message.
    private var isDue = false
    private var sent: Milliseconds = 0
    /// The part of greetings, as it was last written; nil if it has changed since.
    private var written: GreetingPart?

    /// When the next message is due; nil if nothing has changed.
    var next: Milliseconds? { isDue ? sent + (isCrowd ? Self.crowdPause : Self.pause) : nil }

    /// - Parameter isNewName: a name is shown that members may not know, which does not wait.
    mutating func change(isNewName: Bool) {
        isDue = true
        if isNewName { sent = 0 }
    }

    /// Decides whether there are too many connected players to show each.
    mutating func count(_ connected: Int) { isCrowd = connected > (isCrowd ? Self.crowdEnds : Self.crowd) }

    // MARK: Names

    /// Sets the name of a player; nil if it is not known or was given up.
    mutating func setName(_ name: String?, of player: PlayerID) {
        guard names[player] != name else { return }
        names[player] = name
        if written?.players.contains(player) == true { written = nil }
    }

    /// Replaces the name of a player; nil removes it. False if the player had no name, or has this one.
    mutating func rename(_ player: PlayerID, to name: String?) -> Bool {
        guard let old = names[player], old != name else { return false }
        setName(name, of: player)
        renamed.insert(player)
        return true
    }

    /// Forgets a player whom nothing shown names. Members are still notified of a name that was given up.
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

    // MARK: What members are shown

    /// The message about who is connected now; nil if members know it. From then on they do. `needed` are further
    /// players whose names they need.
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
        // A player who comes back may have been renamed since.
        let told = new.union(changed).union(came)
        return HubMessage.presence(
            came: came.sorted(), went: went.sorted(), spectators: now.spectators, names: names(of: told),
            nameless: told.filter { names[$0] == nil })
    }

    /// Names a player who is about to speak; nil if members know the name.
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

    /// Only the player's name.
    func name(of player: PlayerID) -> Frame {
        HubMessage.presence(
            came: [], went: [], spectators: shown.spectators, names: names(of: [player]), nameless: [])
    }

    /// The part of a greeting that is the same for all until it changes. `needed` is as for `update`.
    mutating func greetingPart(at version: Int, naming needed: () -> Set<PlayerID>, _ chat: Chat) -> GreetingPart {
        if let written, written.version == version { return written }
        let players = named.union(needed())
        let part = GreetingPart(
            version: version, players: players,
            bytes: HubMessage.greetingPart(names: names(of: players), presence: shown, chat: chat))
        written = part
        return part
    }

    /// Greetings have the chat, which has a new line.
    mutating func chatChanged() { written = nil }
}

/// What all greetings have in common besides the room: presence, chat and names.
struct GreetingPart {
    /// The room's.
    let version: Int
    /// The players whose names it has, if they have any.
    let players: Set<PlayerID>
    /// JSON to follow other fields. `names` is not closed, since a player's own may be missing.
    let bytes: [UInt8]
}
