import ReferenceModel

/// What people do besides playing: drawn towards what was done least in such a room.
final class Whims {
    enum Whim: Int, CaseIterable {
        case sit, sitAnywhere, leave, start, propose, restart, agree, refuse, here, bot, helper, free, mute, ban
        case options, visibility, close, say, react, ping, hello, helloAgain, rubbish, repeated, reused, flood
        case anyMove, wrongMove, resign, shuffle, hangUp, otherRoom, openRoom, lobby, lists, log
        case rename, forget, linkCode, recoveryCode, newDevice, revoke, account
    }

    /// By whim and status.
    private(set) var counts = [Int](
        repeating: 0, count: Whim.allCases.count * RoomSight.Status.allCases.count)

    /// What only a host may do: others try that now and then, too.
    private static let hosts: Set<Whim> = [
        .start, .bot, .helper, .free, .mute, .ban, .options, .visibility, .close,
    ]

    /// The one of three that was done least in rooms of this status.
    private func next(_ status: RoomSight.Status, isHost: Bool, _ choices: inout Choices) -> Whim {
        let some = (0..<3).map { _ in
            let whim = choices.element(of: Whim.allCases)
            let isVain = Self.hosts.contains(whim) && !isHost && choices.chance(7, in: 8)
            return (isVain ? Whim.say : whim).rawValue
        }
        let place = { (whim: Int) in whim * RoomSight.Status.allCases.count + status.rawValue }
        let rarest = some.min { counts[place($0)] < counts[place($1)] } ?? 0
        counts[place(rarest)] += 1
        return Whim.allCases[rarest]
    }

    func act(_ person: Person, _ device: Device, _ link: Link, in code: String) {
        guard let sight = person.world.model.sight(of: code) else { return }
        let whim = next(sight.status, isHost: sight.host == person.id, &person.choices)
        person.give(in: whim, sight, device, link, in: code)
    }
}
