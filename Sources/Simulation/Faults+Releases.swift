import Games
import ReferenceModel

// Nodes of an older release, which a newer one replaces.
extension Faults {
    /// Ends one of the older nodes. All later starts have the newer release. An older node that joined later could not
    /// read what only the newer one writes, so all older nodes serve before the first of them leaves.
    func upgrade(_ choices: inout Choices) {
        let allServe = world.nodes.allSatisfy { world.model.serves($0.name) && $0.process?.downtime == nil }
        guard isUpgrading || allServe else { return }
        let older = world.processes.filter { $0.node.older != nil && !$0.isFrozen && $0.downtime == nil }
        guard !older.isEmpty else { return }
        let process = choices.element(of: older)
        let downtime = choices.number(in: 1...5_000) * 1_000
        isUpgrading = true
        recordFault(.olderRelease, for: downtime)
        if choices.chance(1, in: 4) {
            world.crash(process, performed: choices.number(in: 0...3), downtime: downtime)
        } else {
            world.stop(process, downtime: downtime)
        }
    }
}

extension NodeRelease {
    /// What came with later releases: events that belong together. No game needs any of them.
    private static let features: [Set<String>] = [
        ["proposed", "answered", "proposal-ended"], ["seat-helped", "seat-returned"], ["host-changed"],
        ["options-changed"], ["player-muted"], ["player-banned"],
    ]

    /// The release that the nodes of such a world start with; nil for the newest.
    static func older(by settings: WorldSettings) -> NodeRelease? {
        guard settings.hubs > 1, settings.faults.contains(.olderRelease) else { return nil }
        var choices = Choices(seed: settings.seed, part: 6)
        let lacking = (0..<choices.number(in: 1...6)).map { _ in choices.element(of: features) }
        let later = GameList.all.dropFirst().map { $0.name }
        return NodeRelease(
            events: lacking.reduce(into: []) { $0.formUnion($1) },
            games: Set((0..<choices.number(in: 0...2)).map { _ in choices.element(of: later) }))
    }
}
