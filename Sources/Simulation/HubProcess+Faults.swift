import EventStore

// Faults of a whole process, and how they end.
extension HubProcess {
    /// Whether something keeps it from its work. Rooms are not played until an outage is in the log, either.
    var isHindered: Bool {
        !takesWrites || isDatabaseLost || world.now < lateUntil + Self.lateness.upperBound || hub.lastPlayed < hub.now
            || loops.contains { $0.isBlocked || $0.isPostHeld }
    }

    /// Ends all its faults.
    func heal() {
        lateUntil = 0
        if isDatabaseLost { regainDatabase() }
        thaw()
        if !takesWrites { resumeWrites() }
        for loop in loops.indices {
            resumeLoop(loop)
            if loops[loop].isPostHeld { releasePost(loop) }
        }
    }

    /// The delay of a slow database, in microseconds.
    static let lateness = 300_000...4_000_000
    var isDatabaseLate: Bool { world.now < lateUntil }

    /// The connection to the database is lost. The outcome of the append under way is unknown here.
    func loseDatabase(leaving fate: InMemoryLog.TransactionFate) {
        guard !isDatabaseLost, isAlive else { return }
        isDatabaseLost = true
        databaseLostAt = hub.now
        world.trace("\(node.name) has no database")
        world.model.lostDatabase(node.name)
        if log.nextAppend != nil { log.beginTransaction() }
        database?.rows?.disconnect()
        log.disconnect(leaving: fate)
        world.noteRecords()
        turnAll()
    }

    func regainDatabase() {
        guard isDatabaseLost, isAlive else { return }
        isDatabaseLost = false
        if let since = databaseLostAt { world.model.wasStopped(node.name, loop: nil, from: since, to: hub.now) }
        world.trace("\(node.name) has its database again")
        database?.rows?.reconnect()
        log.reconnect()
        turnAll()
        wakeLog()
    }

    var isFrozen: Bool { frozenSince != nil }

    /// All of it blocks for so many microseconds. `count`: calls of its log that the database does all the same.
    func freeze(for span: Int, performing count: Int) {
        world.trace("\(node.name) blocks")
        frozenSince = world.now
        for loop in loops.indices { standStill(loop) }
        for _ in 0..<count where log.waiting > 0 {
            log.step()
            world.noteRecords()
        }
        world.lines.silence(of: self, for: span)
    }

    /// It continues where it was.
    func thaw() {
        guard isFrozen else { return }
        frozenSince = nil
        hasLostClients = false
        world.trace("\(node.name) continues")
        let calls = deferred
        deferred = []
        for call in calls where isAlive { call() }
        for loop in loops.indices where isAlive { resumeLoop(loop) }
        if isAlive { turnAll() }
    }

    /// A balancer gives it up, and ends its clients' connections.
    func loseClients() {
        guard isFrozen else { return }
        hasLostClients = true
        for number in exchanges.keys.sorted() { exchanges[number]?.cut() }
        world.loseClients(of: self)
    }
}
