import EventStore
import Games

/// Those who are connected to a room by one node or several: how players are called, and how many are nobody.
struct Company: Equatable, Sendable {
    var names: [PlayerID: String] = [:]
    var nameless = 0
}

/// The edges of a room on other nodes, as its home knows them. Nothing is kept while there are none.
struct Outposts {
    /// Who is there by one edge.
    struct Party {
        /// All connections, whose they are known or not.
        var connections = 0
        /// How many each player has.
        var players: [PlayerID: Int] = [:]
        var company = Company()

        init() {}

        init(_ audience: Audience) {
            connections = audience.connections
            for player in audience.players {
                players[player.id, default: 0] += 1
                company.names[player.id] = player.name
            }
            company.nameless = audience.nameless
        }

        var audience: Audience {
            let known = players.sorted { $0.key < $1.key }.flatMap { player, count in
                Array(repeating: Audience.Player(id: player, name: company.names[player] ?? ""), count: count)
            }
            return Audience(connections: connections, players: known, nameless: company.nameless)
        }

        /// Whether others see by it that somebody has come or gone, is called otherwise, or who is nobody.
        mutating func note(_ report: AttendanceReport) -> Bool {
            switch report {
            case .opened: connections += 1
            case .closed: connections -= 1
            case .came(let player, let name):
                players[player, default: 0] += 1
                defer { company.names[player] = name }
                return company.names[player] != name
            case .went(let player):
                let left = (players[player] ?? 0) - 1
                players[player] = left > 0 ? left : nil
                if left <= 0 { company.names[player] = nil }
                return left == 0
            case .watching(let count):
                defer { company.nameless = count }
                return company.nameless != count
            case .greeted, .spoke: break
            }
            return false
        }
    }

    struct Outpost {
        let node: NodeName
        /// Nil where it is not known who is there, or whether anybody is: the node has not been heard by this home.
        let session: NodeSession?
        var party: Party
        /// Since when nothing comes from there; nil: it is heard.
        var unheardSince: Milliseconds?
    }

    /// In the order in which they came.
    private(set) var all: [Outpost] = []
    /// Who is there by the home's own edge, while there are others.
    var own = Party()

    var isEmpty: Bool { all.isEmpty }
    var nodes: [NodeName] { all.map(\.node) }

    subscript(node: NodeName) -> Outpost? { all.first { $0.node == node } }
    func session(of node: NodeName) -> NodeSession? { self[node]?.session }

    /// `own`: who is there by the home's own edge.
    mutating func add(_ outpost: Outpost, beside own: Audience?) {
        if isEmpty, let own { self.own = Party(own) }
        remove(outpost.node)
        all.append(outpost)
    }

    mutating func remove(_ node: NodeName) { all.removeAll { $0.node == node } }

    /// Nothing comes from the node any more.
    mutating func fallSilent(_ node: NodeName, since: Milliseconds) {
        guard let index = all.firstIndex(where: { $0.node == node }) else { return }
        all[index].unheardSince = all[index].unheardSince ?? since
    }

    /// A player who is there by some of them is called otherwise.
    mutating func rename(_ player: PlayerID, to name: String) {
        for index in all.indices where all[index].party.players[player] != nil {
            all[index].party.company.names[player] = name
        }
        if own.players[player] != nil { own.company.names[player] = name }
    }

    /// As `Party.note`. `node`: whose edge reports; nil: the home's own.
    mutating func note(_ report: AttendanceReport, from node: NodeName?) -> Bool {
        guard let node else { return own.note(report) }
        return all.firstIndex { $0.node == node }.map { all[$0].party.note(report) } ?? false
    }

    /// Whether the player is there by another edge than these two.
    func isThere(_ player: PlayerID, butBy one: NodeName?, and other: NodeName?) -> Bool {
        if one != nil, other != nil, own.players[player] != nil { return true }
        return all.contains { $0.node != one && $0.node != other && $0.party.players[player] != nil }
    }

    /// How many are there by all edges but this one, and are nobody.
    func nameless(butBy node: NodeName?) -> Int {
        all.reduce(node == nil ? 0 : own.company.nameless) {
            $1.node == node ? $0 : $0 + $1.party.company.nameless
        }
    }

    /// Who is there by all edges but this one.
    func others(than node: NodeName?) -> Company {
        var company = node == nil ? Company() : own.company
        for outpost in all where outpost.node != node {
            company.names.merge(outpost.party.company.names) { one, _ in one }
            company.nameless += outpost.party.company.nameless
        }
        return company
    }
}
