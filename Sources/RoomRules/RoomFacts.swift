import Games
import JSON

/// Everything that a room's own events say about it. Only the `fold` of events sets these properties.
struct RoomFacts: Sendable {
    let code: String
    /// The games that it may be opened with.
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
    /// Seats whose players had a computer play for them in the newest game.
    var helped: Set<Seat> = []
    var muted: Set<PlayerID> = []
    var banned: Set<PlayerID> = []
    /// The seed of the running game, or else of the next one.
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
    /// The open proposal.
    var proposal: Proposal?
    /// Until when players may not propose anything.
    var proposalPauses: [PlayerID: Milliseconds] = [:]
    var wins = Wins()
    /// Outages up to here have been made up for by `clock-extended`.
    var extendedUntil: Milliseconds = 0

    /// Before the room's first event.
    init(code: String, games: GameCatalog) { (self.code, self.games) = (code, games) }
}

// The facts, as properties of the state.
extension RoomState {
    /// The code in the room's address: `k3m7pq`.
    public var code: String { shared.value.code }
    var games: GameCatalog { shared.value.games }
    /// The room's `status`.
    public var phase: Phase { shared.value.phase }
    /// The room's game; nil before `room-opened`.
    public var kind: (any Game.Type)? { shared.value.kind }
    var options: Fields { shared.value.options }
    /// Whether lists show the room.
    public var visibility: Visibility { shared.value.visibility }
    /// The player who may change the room; empty before `room-opened`.
    public var host: PlayerID { shared.value.host }
    /// The first host.
    public var opener: PlayerID { shared.value.opener }
    /// When the room was opened; 0 before.
    public var openedAt: Milliseconds { shared.value.openedAt }
    var seating: Seating { shared.value.seating }
    var helped: Set<Seat> { shared.value.helped }
    /// Players who may not chat.
    public var muted: Set<PlayerID> { shared.value.muted }
    /// Players who may only watch.
    public var banned: Set<PlayerID> { shared.value.banned }
    /// The seed of the running game, or else of the next one; nil if games are not dealt.
    public var seed: ServerSeed? { shared.value.seed }
    var gameNumber: Int { shared.value.gameNumber }
    var dealing: Dealing? { shared.value.dealing }
    var first: Seat? { shared.value.first }
    /// Who plays in the running game and has not left it; empty between games.
    public var playing: [Seat: PlayerID] { shared.value.playing }
    /// The start of the newest game; nil before the first.
    public var lastStart: GameStarted? { shared.value.lastStart }
    /// The version of the newest `game-started`; 0 before the first game.
    public var startVersion: Int { shared.value.startVersion }
    /// The time of the newest `game-started`; 0 before the first game.
    public var startedAt: Milliseconds { shared.value.startedAt }
    var lastEnd: GameEnded? { shared.value.lastEnd }
    /// The open proposal; nil if there is none.
    public var proposal: Proposal? { shared.value.proposal }
    var proposalPauses: [PlayerID: Milliseconds] { shared.value.proposalPauses }
    var wins: Wins { shared.value.wins }
    /// Outages up to here have been made up for.
    public var extendedUntil: Milliseconds { shared.value.extendedUntil }
}
