import JSON

/// Who is connected, as clients are told it.
struct Present: Equatable {
    /// In order.
    var players: [String] = []
    var spectators = 0

    init(players: [String], spectators: Int) { (self.players, self.spectators) = (players, spectators) }

    /// From a greeting; nil if it has no presence.
    init?(greeting: Value?) {
        guard let players = greeting?["players"]?.list, let spectators = greeting?["spectators"]?.integer else {
            return nil
        }
        self.init(players: players.compactMap(\.string), spectators: spectators)
    }

    /// After a `presence`; nil if the message is not one.
    func after(_ message: Value) -> Present? {
        guard let came = message["came"]?.list, let went = message["went"]?.list,
            let spectators = message["spectators"]?.integer
        else { return nil }
        let there = Set(players).union(came.compactMap(\.string)).subtracting(went.compactMap(\.string))
        return Present(players: there.sorted(), spectators: spectators)
    }
}

/// Who is connected to a room.
struct WhoIsThere {
    let all: Present
    /// The host and players with a seat: those that lists count.
    let seated: [String]

    /// With more players than these, those without a seat may only be counted.
    private static let crowdEnds = 80

    func isTold(_ told: Present?) -> Bool {
        let isCrowd = all.players.count > Self.crowdEnds
        return told == all || isCrowd && told == Present(players: seated, spectators: all.spectators)
    }

    var isSomebody: Bool { !all.players.isEmpty || all.spectators > 0 }

    /// Whether an entry of a list counts them so.
    func isCounted(by entry: ListEntry) -> Bool {
        entry.present == seated.count && entry.spectators == all.spectators
    }
}
