import EventStore
import RoomRules

/// The names of listed rooms' hosts, from the read models. Each is asked for once, and again if it may have changed. A
/// list does not wait for the answer, but has the name a second later.
final class HostNames {
    private let readModels: ReadModels
    /// Known hosts; nil if a host has no name.
    private var names: [PlayerID: String?] = [:]
    /// Hosts to ask for.
    private var due: Set<PlayerID> = []
    /// The last question about each host. Answers to earlier ones are ignored.
    private var asked: [PlayerID: Int] = [:]
    private var lastQuestion = 0
    /// Answers to questions before this one are ignored.
    private var firstQuestion = 1

    init(_ readModels: ReadModels) { self.readModels = readModels }

    subscript(host: PlayerID) -> String? { names[host] ?? nil }

    /// A listed room has this host.
    func add(_ host: PlayerID) { if names[host] == nil, asked[host] == nil { due.insert(host) } }

    /// The player may have another name, which the rows already have. If nil, any player may.
    func nameChanged(of player: PlayerID?) {
        let listed = Set(names.keys).union(asked.keys)
        due.formUnion(player.map { listed.intersection([$0]) } ?? listed)
        ask()
    }

    /// Only `hosts` are still listed.
    func keep(_ hosts: Set<PlayerID>) {
        names = names.filter { hosts.contains($0.key) }
        due.formIntersection(hosts)
    }

    /// No host is listed any longer, and pending answers are ignored.
    func forgetAll() {
        (names, due, asked) = ([:], [], [:])
        firstQuestion = lastQuestion + 1
    }

    /// Asks for hosts that are due, and calls `then` once they are known. Rows that cannot be read stay due.
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
