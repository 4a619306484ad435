import Hub

// What a hub that shares its log asks for.
extension HubProcess {
    /// Looks for what others have written, as an engine does twice a second.
    func poll() {
        guard isAlive else { return }
        if !isFrozen {
            log.poll()
            turnAll()
        }
        world.schedule(.poll, after: 500_000, index: node.index)
    }

    func send(_ message: [UInt8], toNode other: String) { world.lines.send(message, from: self, to: other) }

    func nodeJoined() {
        isServing = true
        world.trace("\(node.name) serves")
    }

    func link(to others: [(name: String, run: String)]) {
        let before = self.others
        self.others = others.reduce(into: [:]) { $0[$1.name] = $1.run }
        for other in others where before[other.name] != other.run { linkIsDown(to: other.name) }
        world.lines.linksWanted(by: self)
    }

    func couldNotPlay(from: Int, until: Int, on loop: Int) {
        world.model.couldNotPlay(node.name, loop: (loop, loops.count), from: from, to: until)
    }

    /// Hands on what it serves, and ends.
    func leave(downtime: Int) {
        self.downtime = downtime
        hub.leave()
        turnAll()
        wakeLog()
    }

    /// A member of a room must come back elsewhere.
    func sendsAway(from room: String) {
        if downtime != nil, isServing, !isHindered, world.claims[.room(room)] == hub.run {
            world.fail("a node releases a room before it sends its members away", "\(node.name): room \(room)")
        }
    }

    func nodeEnded() {
        isServing = false
        world.trace("\(node.name) has stopped serving")
        world.schedule(.end, after: 1_000, index: node.boots << 8 | node.index)
    }

    func messageArrived(_ message: [UInt8], fromNode other: String) {
        if !hub.messageArrived(message, fromNode: other) { world.fail("nodes understand each other", "\(message)") }
        turnAll()
    }

    func linkIsBack(to other: HubProcess) {
        hub.linkIsBack(toNode: other.node.name, run: other.hub.run)
        turnAll()
    }

    /// No process listens where the linked run listened.
    func portRefuses(of other: String, run: String) {
        hub.portRefuses(ofNode: other, run: run)
        // As in a real hub it happens in a turn, whose end hands over what it appends.
        turn(0)
    }

    /// The run that it was linked to may have died.
    func linkIsDown(to other: String) {
        guard isAlive, hasStarted, let run = others[other] else { return }
        let tell = { [self] in hub.linkIsDown(toNode: other, run: run) }
        if isFrozen { deferred.append(tell) } else { tell() }
    }
}
