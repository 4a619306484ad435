import Games

/// Limits of a hub, a room, a player or an address, so that no one can take resources from others. Each is an option of
/// `serve` with its name, or a fixed limit in `Running.md`.
public struct HubLimits: Sendable, Equatable {
    /// Messages of one connection in a second, twice as many at once. More are refused with `too-fast`. Far above what
    /// people do, since bots play too.
    public var messagesPerSecond = 1_000
    /// Messages of one connection in a second that are refused with `too-fast`, twice as many at once. With more it is
    /// closed, since refusing them also keeps the hub busy.
    public var refusalsPerSecond = 100
    /// Hellos of one connection in a second, twice as many at once. Each is answered with the whole room.
    public var hellosPerSecond = 5
    /// Lines of chat and reactions of one connection in a second, twice as many at once.
    public var linesPerSecond = 3
    /// Recorded commands of one player in a second, on all connections to rooms of one loop, ten times as many at once.
    /// More are refused with `too-fast`. Each is kept for ever.
    public var commandsPerSecond = 10
    /// Rooms that a player may open in 24 hours.
    public var roomsPerDay = 100
    /// Connections in one room.
    public var membersPerRoom = 10_000
    /// Connections in the lobby. Others have to poll the list.
    public var lobbyMembers = 2_000
    /// Awake rooms on one loop.
    public var awakeRooms = 100_000
    /// Wrong tokens and codes of one address in a minute. More are answered with 429, but right ones still succeed.
    public var failuresPerMinute = 120
    /// New players, new devices and new names of one address in a minute.
    public var registrationsPerMinute = 600
    /// Messages that may arrive before `hello` is answered.
    public var earlyMessages = 64
    /// How long an empty room stays awake, ms.
    public var sleepAfter: Milliseconds = 60_000
    /// How long before its deadline a sleeping room is woken, ms.
    public var wakeAhead: Milliseconds = 90_000

    /// The least number of events between two snapshots of a room. Events after the newest one are read when the room
    /// wakes, which takes some milliseconds, and few rooms ever need a snapshot.
    public var snapshotDistance = 256

    /// The least time that a computer player seems to think about a move, ms, chosen by what people like.
    public var thinkTime: Milliseconds = 900

    public init() {}
}
