import ReferenceModel

/// What people do besides playing. They prefer what was done least in a room of that status. Each world has some
/// favourites too, so that rare things occur together.
final class Whims {
    enum Whim: String, CaseIterable {
        case sit, sitAnywhere, leave, start, propose, restart, agree, refuse, here, bot, helper, free, mute, ban
        case options, visibility, close, say, react, ping, hello, helloAgain, rubbish, repeated, reused, flood
        case anyMove, wrongMove, resign, shuffle, hangUp, stayAway, readNothing, otherRoom, openRoom, lobby, lists, log
        case rename, forget, linkCode, recoveryCode, newDevice, revoke, account
    }

    /// How often each was done, by status.
    private var counts: [[Int]] = RoomSight.Status.allCases.map { _ in [Int](repeating: 0, count: Whim.allCases.count) }
    private let favourites: [Whim]

    init(favourites: [Whim]) { self.favourites = favourites }

    /// Only a host may do these, but others try too at times.
    private static let hosts: Set<Whim> = [.start, .bot, .helper, .free, .mute, .ban, .options, .visibility, .close]

    func act(_ person: Person, _ device: Device, _ link: Link, in code: String) {
        guard let sight = person.world.model.sight(of: code) else { return }
        let whim = next(sight.status, isHost: sight.host == person.id, &person.choices)
        person.give(in: whim, sight, device, link, in: code)
    }

    private func next(_ status: RoomSight.Status, isHost: Bool, _ choices: inout Choices) -> Whim {
        let isFavourite = !favourites.isEmpty && choices.chance(1, in: 2)
        let (all, tries) = isFavourite ? (favourites, 1) : (Whim.allCases, 3)
        var rarest: (index: Int, count: Int)?
        for _ in 0..<tries {
            let whim = choices.element(of: all)
            let isVain = Self.hosts.contains(whim) && !isHost && choices.chance(7, in: 8)
            guard !isVain, let index = Whim.allCases.firstIndex(of: whim) else { continue }
            let count = counts[status.rawValue][index]
            if count < rarest?.count ?? .max { rarest = (index, count) }
        }
        guard let rarest else { return .say }
        counts[status.rawValue][rarest.index] += 1
        return Whim.allCases[rarest.index]
    }
}

extension Whims.Whim {
    /// Up to six favourites of a world.
    static func favourites(_ choices: inout Choices) -> [Self] {
        (0..<choices.number(in: 0...6)).map { _ in choices.element(of: allCases) }
    }

    /// Whims that may lead to events of a type that was seldom recorded.
    static func leading(to type: String) -> [Self] {
        switch type {
        case "answered": [.agree, .refuse]
        case "away", "back", "host-changed": [.stayAway]
        case "cards-shuffled": [.shuffle]
        case "device-revoked": [.newDevice, .linkCode, .revoke]
        case "options-changed": [.options]
        case "player-banned": [.ban]
        case "player-left", "seat-freed": [.leave, .free]
        case "player-muted": [.mute]
        case "proposal-ended", "proposed": [.propose, .restart, .refuse]
        case "recovery-code-made": [.recoveryCode]
        case "resigned": [.resign]
        case "room-closed": [.close]
        case "seat-helped", "seat-returned": [.stayAway, .helper]
        case "visibility-changed": [.visibility]
        default: []
        }
    }
}
