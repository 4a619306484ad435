import Games
import JSON

/// What a room's own events have said of it. Its properties are many because a room is: each is one thing, and nothing
/// but the `fold` of events sets them.
struct RoomFacts: Sendable {
    let code: String
    /// Those that it may be opened with.
    let games: GameCatalog
    var phase = RoomState.Phase.unopened
    var kind: (any Game.Type)?
    var options: Fields = [:]
    var visibility = Visibility.public
    var host: PlayerID = ""
    /// Who opened the room, and when.
    var opener: PlayerID = ""
    var openedAt: Milliseconds = 0
    var seating = Seating()
    /// Seats for whose players a computer has played in the newest game.
    var helped: Set<Seat> = []
    var muted: Set<PlayerID> = []
    var banned: Set<PlayerID> = []
    /// Of the next game, or of the running one.
    var seed: ServerSeed?
    var gameNumber = 0
    /// The game that is about to be dealt.
    var dealing: Dealing?
    /// The first seat of the newest game.
    var first: Seat?
    /// Who plays in the running game and has not left it.
    var playing: [Seat: PlayerID] = [:]
    var lastStart: GameStarted?
    /// The version and the time of the newest `game-started`.
    var startVersion = 0
    var startedAt: Milliseconds = 0
    var lastEnd: GameEnded?
    /// What the table is asked just now.
    var proposal: Proposal?
    /// Until when players may not propose anything.
    var proposalPauses: [PlayerID: Milliseconds] = [:]
    var wins = Wins()
    /// The outages that `clock-extended` has already made up for end here.
    var extendedUntil: Milliseconds = 0

    /// Before the room's first event.
    init(code: String, games: GameCatalog) { (self.code, self.games) = (code, games) }
}

// What events have said, as if it stood in the state itself.
extension RoomState {
    public var code: String { shared.value.code }
    var games: GameCatalog { shared.value.games }
    public var phase: Phase { shared.value.phase }
    public var kind: (any Game.Type)? { shared.value.kind }
    var options: Fields { shared.value.options }
    public var visibility: Visibility { shared.value.visibility }
    public var host: PlayerID { shared.value.host }
    public var opener: PlayerID { shared.value.opener }
    public var openedAt: Milliseconds { shared.value.openedAt }
    var seating: Seating { shared.value.seating }
    var helped: Set<Seat> { shared.value.helped }
    public var muted: Set<PlayerID> { shared.value.muted }
    public var banned: Set<PlayerID> { shared.value.banned }
    public var seed: ServerSeed? { shared.value.seed }
    public var gameNumber: Int { shared.value.gameNumber }
    var dealing: Dealing? { shared.value.dealing }
    var first: Seat? { shared.value.first }
    public var playing: [Seat: PlayerID] { shared.value.playing }
    public var lastStart: GameStarted? { shared.value.lastStart }
    public var startVersion: Int { shared.value.startVersion }
    public var startedAt: Milliseconds { shared.value.startedAt }
    public var lastEnd: GameEnded? { shared.value.lastEnd }
    public var proposal: Proposal? { shared.value.proposal }
    public var proposalPauses: [PlayerID: Milliseconds] { shared.value.proposalPauses }
    var wins: Wins { shared.value.wins }
    public var extendedUntil: Milliseconds { shared.value.extendedUntil }
}
