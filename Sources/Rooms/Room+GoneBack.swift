import EventStore
import Games
import Logging
import RoomRules

// A room whose log does not hold any more what was read of it, as of a database that has failed over.
extension Room {
    func streamHasGoneBack() { streamHasGoneBack(nil) }

    func streamHasGoneBack(_ reason: String?) {
        var metadata: Logger.Metadata = ["room": "\(code)", "version": "\(stream.readVersion)"]
        if let reason { metadata["reason"] = "\(reason)" }
        if mayBeReadAnew {
            surroundings.loggers.rooms.warning(
                "the log of a room has gone back: reading it again", metadata: metadata)
        }
        readAnew()
    }

    private var mayBeReadAnew: Bool { life != .broken && life != .absent && home.whenLeft == nil }

    /// The room is loaded anew, with a home that knows no more than the log; members are told if what they were shown
    /// is not there.
    func readAnew() {
        guard mayBeReadAnew else { return }
        // What more comes of it does not follow on what is known.
        stream.unfollow()
        let since = home.vacantSince ?? surroundings.now
        home.leave { [self] requests in
            stream.unfollow()
            if !whenGivenUp.isEmpty { return isGivenUp() }
            renewHome(taking: requests, since: since)
        }
    }

    /// Nothing more is judged here: another node is the room's home, or is to be. `then` is called once nothing is on
    /// its way to the log.
    public func giveUp(then: @escaping () -> Void) {
        whenGivenUp.append(then)
        // It is left already, to be read again, or for another reason to give it up.
        guard home.whenLeft == nil else { return }
        home.leave { [self] _ in isGivenUp() }
    }

    func isGivenUp() {
        hasGivenUp = true
        // All who come or ask wait, for as long as members have not been sent away.
        stream.life = .loading
        readings += 1
        stream.unfollow()
        let waiting = whenGivenUp
        whenGivenUp = []
        for then in waiting { then() }
    }

    /// The log was away: whether it still holds what the room has read is looked at once. Called a few rooms at a time.
    /// The players in it of whom the same is to be asked.
    func compareIfDue() -> [PlayerID] {
        guard mustCompare, life == .awake else { return [] }
        mustCompare = false
        compareWithLog()
        return edge.presence.names.keys.sorted()
    }

    /// Whether rows of it are not to be trusted just now: one of what is lost would stand ahead of those that follow,
    /// which are of earlier versions.
    public var mayBeLost: Bool { surroundings.isShared && life == .awake && (surroundings.isLogDown || isDoubtful) }

    /// Looks whether the log still holds the newest of what was read of it.
    func compareWithLog() {
        let end = stream.readEnd
        surroundings.load(stream.name, after: end.version - 1, limit: 1) { [self] result in
            guard life == .awake, end.version <= stream.readVersion else { return }
            switch result {
            case .success(let records):
                if records.first?.end == end { isDoubtful = false } else { streamHasGoneBack() }
            case .failure(.chainBroken): streamHasGoneBack()
            // Once it can be read it is compared again.
            case .failure: break
            }
        }
    }
}
