/// How many people are in a room, as its run reports. Names are left out because no one here needs them.
public struct RoomPresence: Sendable, Equatable {
    public let room: String
    /// Its host and the players who have a seat.
    public let present: Int
    /// Those who watch without a seat.
    public let spectators: Int

    public var isSomebody: Bool { present + spectators > 0 }

    public init(room: String, present: Int, spectators: Int) {
        (self.room, self.present, self.spectators) = (room, present, spectators)
    }
}

/// A run's report about its rooms with a lease renewal, and what it has seen of other runs' reports.
public struct PresenceReport: Sendable, Equatable {
    /// A room that everyone has left is reported for this many renewals of its run, half a minute. A reader that has
    /// not looked at the run for longer asks for its whole report.
    public static let leftFor = 30

    /// Rooms whose count has changed since the run's last report; zeros if everyone has left.
    public var rooms: [RoomPresence]
    /// Whether all other rooms of the run are empty, no matter what it has reported before.
    public var isWhole: Bool
    /// By run, how often its lease had been renewed at the last look. The answer has what it has reported since, and
    /// everything of a run that is not named.
    public var seen: [String: Int]

    public init(rooms: [RoomPresence] = [], isWhole: Bool = false, seen: [String: Int] = [:]) {
        (self.rooms, self.isWhole, self.seen) = (rooms, isWhole, seen)
    }
}
