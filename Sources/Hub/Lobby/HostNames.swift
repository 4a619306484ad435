import EventStore
import Games
import RoomRules

/// What the hosts of listed rooms are called, by the rows of players: asked for once, and again once a name may be
/// another. A list does not wait for the answer: it has the name a second later.
final class HostNames {
    private let readModels: ReadModels
    /// Of those who are known; nil: has none.
    private var names: [PlayerID: String?] = [:]
    /// Who is to be asked for.
    private var due: Set<PlayerID> = []
    /// Of the last question for each: an answer to an earlier one is of no use.
    private var asked: [PlayerID: Int] = [:]
    private var lastQuestion = 0
    /// Answers to questions before this one are nobody's.
    private var firstQuestion = 1

    init(_ readModels: ReadModels) { self.readModels = readModels }

    subscript(host: PlayerID) -> String? { names[host] ?? nil }

    /// Somebody who is listed as a host.
    func add(_ host: PlayerID) { if names[host] == nil, asked[host] == nil { due.insert(host) } }

    /// The player may have another name; nil: anybody may. The rows know already.
    func nameChanged(of player: PlayerID?) {
        let listed = Set(names.keys).union(asked.keys)
        due.formUnion(player.map { listed.intersection([$0]) } ?? listed)
        ask()
    }

    /// Nobody else is listed.
    func keep(_ hosts: Set<PlayerID>) {
        names = names.filter { hosts.contains($0.key) }
        due.formIntersection(hosts)
    }

    /// Nobody is listed; what was asked is not answered.
    func forgetAll() {
        (names, due, asked) = ([:], [], [:])
        firstQuestion = lastQuestion + 1
    }

    /// Asks for those who are due, and calls `then` once they are known. Where the rows cannot be read they are asked
    /// for the next time.
    func ask(then: @escaping () -> Void = {}) {
        guard !due.isEmpty else { return then() }
        lastQuestion += 1
        let (question, players) = (lastQuestion, due.sorted())
        due = []
        for player in players { asked[player] = question }
        readModels.find(.players(ids: players)) { [self] result in
            guard question >= firstQuestion else { return }
            let current = players.filter { asked[$0] == question }
            for player in current { asked[player] = nil }
            switch result {
            case .success(let rows):
                let found = Dictionary(rows.map { ($0.id, $0.name) }) { first, _ in first }
                for player in current { names.updateValue(found[player], forKey: player) }
            case .failure: due.formUnion(current)
            }
            then()
        }
    }
}
