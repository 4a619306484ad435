/// How many are in a room by what its run says: names are nobody's business here.
public struct RoomPresence: Sendable, Equatable {
    public let room: String
    /// Its host and the players who have a seat.
    public let present: Int
    /// Those who watch without a seat.
    public let spectators: Int

    /// Whether anybody is there at all.
    public var isSomebody: Bool { present + spectators > 0 }

    public init(room: String, present: Int, spectators: Int) {
        (self.room, self.present, self.spectators) = (room, present, spectators)
    }
}

/// What a run says of its rooms as it renews its lease, and what it has seen others say.
public struct PresenceReport: Sendable, Equatable {
    /// A room that everybody has left is named for so many renewals of its run, half a minute. Who has not looked at
    /// the run for longer asks for all that it says.
    public static let leftFor = 30

    /// Rooms whose count has changed since the run said so last; zeros where everybody has left.
    public var rooms: [RoomPresence]
    /// Whether nobody is in any other room of the run, whatever it has said before.
    public var isWhole: Bool
    /// How often the leases of other runs had been renewed at the last look: what they have said since is answered. Of
    /// a run that is not named, all.
    public var seen: [String: Int]

    public init(rooms: [RoomPresence] = [], isWhole: Bool = false, seen: [String: Int] = [:]) {
        (self.rooms, self.isWhole, self.seen) = (rooms, isWhole, seen)
    }
}
