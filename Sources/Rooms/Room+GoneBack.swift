import EventStore
import Logging
import RoomRules

// A room whose log no longer has what was read of it, as after a database has failed over.
extension Room {
    func streamHasGoneBack() { streamHasGoneBack(nil) }

    func streamHasGoneBack(_ reason: String?) {
        var metadata: Logger.Metadata = ["room": "\(code)", "version": "\(stream.readVersion)"]
        if let reason { metadata["reason"] = "\(reason)" }
        if mayBeReadAnew {
            surroundings.loggers.write(.roomGoneBack, metadata)
        }
        readAnew()
    }

    private var mayBeReadAnew: Bool { life != .broken && life != .absent && !home.isBeingLeft }

    /// Loads the room again, with a home that knows only what is in the log. Members are notified if events that they
    /// were shown are lost.
    func readAnew() {
        guard mayBeReadAnew else { return }
        // Further records of this reading do not follow what is known.
        stream.unfollow()
        let since = home.clock.lostTime.vacantSince ?? surroundings.now
        home.leave { [self] requests in
            stream.unfollow()
            if !whenGivenUp.isEmpty { return isGivenUp() }
            renewHome(taking: requests, since: since)
        }
    }

    /// Stops judging, since another node is or becomes the room's home. Calls `then` once no append is on its way to
    /// the log.
    public func giveUp(then: @escaping () -> Void) {
        whenGivenUp.append(then)
        // The home is already being left, to read the room again or for another reason to give it up.
        guard !home.isBeingLeft else { return }
        home.leave { [self] _ in isGivenUp() }
    }

    func isGivenUp() {
        hasGivenUp = true
        // Everyone who comes or asks waits until the members have been sent away.
        stream.life = .loading
        readings += 1
        stream.unfollow()
        let waiting = whenGivenUp
        whenGivenUp = []
        for then in waiting { then() }
    }

    /// After the log was away, checks once that it still has what the room has read. Called for a few rooms at a time.
    /// Returns the room's players, for whom the same must be checked.
    func compareIfDue() -> [PlayerID] {
        guard mustCompare, life == .awake else { return [] }
        mustCompare = false
        compareWithLog()
        return edge.presence.names.keys.sorted()
    }

    /// Whether rows of the room cannot be trusted now. A row with lost events would be ahead of the rows that follow,
    /// which have earlier versions.
    public var mayBeLost: Bool { surroundings.isShared && life == .awake && (surroundings.isLogDown || isDoubtful) }

    /// Checks that the log still has the newest record that was read.
    func compareWithLog() {
        let end = stream.readEnd
        surroundings.log.load(stream.name, after: end.version - 1, limit: 1) { [self] result in
            guard life == .awake, end.version <= stream.readVersion else { return }
            switch result {
            case .success(let records):
                if records.first?.end == end { isDoubtful = false } else { streamHasGoneBack() }
            case .failure(.chainBroken): streamHasGoneBack()
            // Compared again once the log can be read.
            case .failure: break
            }
        }
    }
}
