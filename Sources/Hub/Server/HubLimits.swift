import Games

/// How much of anything one hub, room, player or address may have. Each is there so that nobody can take it from
/// others. Each is an option of `serve` by its name, or stands in `Operating.md` as what no option changes.
public struct HubLimits: Sendable, Equatable {
    /// Messages a second of one connection, twice as many at once; more are refused with `too-fast`. Far above what
    /// people do: bots play too.
    public var messagesPerSecond = 1_000
    /// Messages a second of one connection that are refused with `too-fast`, twice as many at once; past that it is
    /// closed, since to refuse them keeps the hub busy, too.
    public var refusalsPerSecond = 100
    /// Hellos a second of one connection, twice as many at once: each is answered by all that can be seen of a room.
    public var hellosPerSecond = 5
    /// Lines of chat and reactions a second of one connection, twice as many at once.
    public var linesPerSecond = 3
    /// Commands a second of one player that are recorded, on all connections to rooms of one loop, ten times as many at
    /// once; more are refused with `too-fast`. Each is kept for ever.
    public var commandsPerSecond = 10
    /// Rooms that one player may open in 24 hours.
    public var roomsPerDay = 100
    /// Connections in one room.
    public var membersPerRoom = 10_000
    /// Connections in the lobby; more ask for the list now and then instead.
    public var lobbyMembers = 2_000
    /// Rooms that one loop keeps awake.
    public var awakeRooms = 100_000
    /// Wrong tokens and codes of one address in a minute; more are answered 429, what is right succeeds.
    public var failuresPerMinute = 120
    /// New players, new devices and new names of one address in a minute.
    public var registrationsPerMinute = 600
    /// Messages that may come before `hello` is answered.
    public var earlyMessages = 64
    /// How long an empty room stays awake, ms.
    public var sleepAfter: Milliseconds = 60_000
    /// How long before its deadline a sleeping room is woken, ms.
    public var wakeAhead: Milliseconds = 90_000

    /// Events that lie at least between two snapshots of a room: those behind the newest one are read when the room
    /// wakes, some milliseconds' work, and few rooms ever need one.
    public var snapshotDistance = 256

    /// How long a computer player seems to think about a move at least, ms: as long as people like it.
    public var thinkTime: Milliseconds = 900

    public init() {}
}
