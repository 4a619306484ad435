@testable import Hub

// Random events in a slow cluster.
extension ScriptedCluster {
    /// The next message of some link arrives; false if none is under way.
    func deliverSome(_ random: SeededRandom) -> Bool {
        let busy = busyLinks
        guard !busy.isEmpty else { return false }
        let link = busy[random.number(below: busy.count)]
        deliverNext(from: link.from, to: link.to)
        return true
    }

    /// Some link is lost with all its messages, and made again.
    func breakSomeLink(_ random: SeededRandom) {
        let (one, other) = (random.number(below: nodes.count), random.number(below: nodes.count))
        if one != other { renewLink(one, other) }
    }

    /// Some node learns which nodes there are.
    func tellSomeone(_ random: SeededRandom) { hear(living[random.number(below: living.count)]) }

    /// Ends all delays. All live nodes serve, and everyone learns everything.
    func heal() {
        isSlow = false
        serveByAll()
    }
}
