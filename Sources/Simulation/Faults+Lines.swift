// Faults of clients' connections and of loops.
extension Faults {
    func strikeLine(_ kind: FaultKind, _ choices: inout Choices) {
        let person = choices.element(of: world.people)
        let device = choices.element(of: person.devices)
        let span = choices.number(in: 1...60_000) * 1_000
        switch kind {
        case .slowReader:
            device.stuckUntil = world.now + span
            recordFault(kind, for: span)
        case .slowLine:
            person.slowUntil = world.now + span
            recordFault(kind, for: span)
        default:
            guard let link = device.link else { return }
            recordFault(kind)
            // Messages to the hub are lost from some moment on. The hub may not learn of the end for a minute.
            link.lostFrom = world.now + choices.number(in: 0...20_000)
            let isHalfOpen = choices.chance(1, in: 4)
            world.hangUp(
                link, keeping: choices.number(in: 0...max(1, link.unreadCount)), noticedAfter: isHalfOpen ? span : 1_000
            )
        }
    }

    func strikeLoop(_ kind: FaultKind, _ process: HubProcess, _ choices: inout Choices) {
        let loop = choices.number(below: process.loops.count)
        let isLong = choices.chance(1, in: 8)
        let span = choices.number(in: 100...5_000) * (isLong ? 12_000 : 1_000)
        if kind == .stall {
            process.standStill(loop)
            world.schedule(.heal, after: span, index: Heal.stall.index(process.node, loop))
            recordFault(kind, for: span)
        } else {
            process.holdPost(loop)
            world.schedule(.heal, after: span / 10, index: Heal.post.index(process.node, loop))
            recordFault(kind, for: span / 10)
        }
    }
}
