@testable import Hub

// What chance does to a cluster that is slow.
extension ScriptedCluster {
    /// The next message of some link arrives; false where none is under way.
    func deliverSome(_ random: SeededRandom) -> Bool {
        let busy = busyLinks
        guard !busy.isEmpty else { return false }
        let link = busy[random.number(below: busy.count)]
        deliverNext(from: link.from, to: link.to)
        return true
    }

    /// Some link is lost with all that is under way on it, and made again.
    func breakSomeLink(_ random: SeededRandom) {
        let (one, other) = (random.number(below: nodes.count), random.number(below: nodes.count))
        if one != other { renewLink(one, other) }
    }

    /// Some node hears which nodes there are.
    func tellSomeone(_ random: SeededRandom) { hear(living[random.number(below: living.count)]) }

    /// Nothing is slow, all that are alive serve, and everybody hears of everything.
    func heal() {
        isSlow = false
        serveByAll()
    }
}
