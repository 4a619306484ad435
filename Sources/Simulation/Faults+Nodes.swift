// Faults that need several hubs that share a log.
extension Faults {
    func strikeNode(_ kind: FaultKind, _ process: HubProcess, _ choices: inout Choices) {
        switch kind {
        case .slowLink, .cutLink: strikeLink(kind, &choices)
        case .lateDatabase:
            let span = choices.number(in: 500...20_000) * 1_000
            recordFault(kind, for: span)
            for struck in someOrAll(process, &choices) { struck.lateUntil = world.now + span }
        case .lostDatabase: loseDatabase(process, &choices)
        case .freeze:
            guard !process.isFrozen else { return }
            let span = choices.number(in: 1_000...30_000) * 1_000
            recordFault(kind, for: span)
            process.freeze(for: span, performing: choices.number(in: 0...2))
            world.schedule(.heal, after: Self.balancerTime, index: Heal.balancer.index(process.node))
            world.schedule(.heal, after: span, index: Heal.freeze.index(process.node))
        case .quickRestart:
            let downtime = choices.number(in: 1...999) * 1_000
            guard choices.chance(1, in: 2), !process.isFrozen else {
                recordFault(kind, for: downtime)
                return world.crash(process, performed: choices.number(in: 0...3), downtime: downtime)
            }
            recordFault(kind, for: downtime)
            world.stop(process, downtime: downtime)
        case .machineClock:
            process.node.machine.wallOffset =
                SimulatedMachine.start + choices.number(in: -6 * 3_600_000...6 * 3_600_000) * 1_000_000
            recordFault(kind)
        case .failOver: beginFailOver(&choices)
        case .olderRelease: upgrade(&choices)
        default: preconditionFailure("\(kind) is not a fault of nodes")
        }
    }

    /// Microseconds after which a balancer gives up a silent node.
    private static let balancerTime = 5_000_000

    private func strikeLink(_ kind: FaultKind, _ choices: inout Choices) {
        let one = choices.number(below: world.nodes.count)
        let other = (one + choices.number(in: 1...world.nodes.count - 1)) % world.nodes.count
        let pair = NodeLines.Pair(one, other)
        let span = choices.number(in: 100...(choices.chance(1, in: 8) ? 60_000 : 10_000)) * 1_000
        recordFault(kind, for: span)
        if kind == .slowLink {
            world.lines.slow(pair, for: span)
        } else {
            world.lines.cut(pair, to: choices.chance(1, in: 2) ? [one, other] : [one], for: span)
        }
    }

    private func someOrAll(_ process: HubProcess, _ choices: inout Choices) -> [HubProcess] {
        choices.chance(1, in: 3) ? world.processes : [process]
    }

    private func loseDatabase(_ process: HubProcess, _ choices: inout Choices) {
        let span = choices.number(in: 100...(choices.chance(1, in: 4) ? 30_000 : 6_000)) * 1_000
        recordFault(.lostDatabase, for: span)
        for struck in someOrAll(process, &choices) {
            struck.node.cutOffUntil = max(struck.node.cutOffUntil, world.now + span)
            struck.loseDatabase(leaving: choices.element(of: [.committed, .rolledBack, .leftOpen]))
            world.schedule(.heal, after: span, index: Heal.database.index(struck.node))
        }
        // The connection of an open transaction is gone, which the database notices.
        world.schedule(.abandoned, after: choices.number(in: 100...8_000) * 1_000)
    }
}
