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

        /// Whether others see by it that somebody has come or gone, or who is nobody.
        mutating func note(_ report: AttendanceReport) -> Bool {
            switch report {
            case .opened: connections += 1
            case .closed: connections -= 1
            case .came(let player, let name):
                players[player, default: 0] += 1
                company.names[player] = name
                return players[player] == 1
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

    /// By node, in the order in which they came.
    private(set) var all: [(node: NodeName, party: Party)] = []
    /// Who is there by the home's own edge, while there are others.
    var own = Party()

    var isEmpty: Bool { all.isEmpty }
    var nodes: [NodeName] { all.map(\.node) }

    func contains(_ node: NodeName) -> Bool { all.contains { $0.node == node } }

    mutating func add(_ node: NodeName, _ party: Party) { all.append((node, party)) }

    mutating func remove(_ node: NodeName) -> Party? {
        all.firstIndex { $0.node == node }.map { all.remove(at: $0).party }
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

    /// Who is there by all edges but this one.
    func others(than node: NodeName?) -> Company {
        var company = node == nil ? Company() : own.company
        for (other, party) in all where other != node {
            company.names.merge(party.company.names) { one, _ in one }
            company.nameless += party.company.nameless
        }
        return company
    }
}

// What a home does for the edges on other nodes.
extension RoomHome {
    func tell(_ body: RoomMessage, to node: NodeName) {
        surroundings.cluster?.send(.room(stream.code, body), to: node)
    }

    /// A node has members of the room, and is told from now on what is shown; also one that was told before.
    func attach(_ node: NodeName, _ audience: Audience) {
        forget(node)
        if outposts.isEmpty, let edge { outposts.own = Outposts.Party(edge.audience) }
        outposts.add(node, Outposts.Party())
        tell(
            .attached(
                stream.state.end, said: edge?.chat.lines.map { Said($0) } ?? [], others: outposts.others(than: node)),
            to: node)
        greet(audience, by: node)
    }

    /// These are there by an edge that nothing was known of. `node`: nil is the home's own.
    func greet(_ audience: Audience, by node: NodeName? = nil) {
        for _ in 0..<audience.connections { receive(.opened, from: node) }
        for player in audience.players { receive(.came(player.id, name: player.name), from: node) }
        receive(.watching(audience.nameless), from: node)
    }

    /// Nobody is there any more by an edge.
    func forget(_ node: NodeName) {
        guard let party = outposts.all.first(where: { $0.node == node })?.party else { return }
        receive(.watching(0), from: node)
        for player in party.players.keys.sorted() {
            for _ in 0..<(party.players[player] ?? 0) { receive(.went(player), from: node) }
        }
        for _ in 0..<party.connections { receive(.closed, from: node) }
        _ = outposts.remove(node)
        if outposts.isEmpty { outposts.own = Outposts.Party() }
    }

    /// Has all other edges know who is there by this one. `node`: nil is the home's own.
    func passOn(_ report: AttendanceReport, from node: NodeName?) {
        guard !outposts.isEmpty, outposts.note(report, from: node) else { return }
        for target in [nil] + outposts.nodes where target != node {
            switch report {
            // Who is there by a third one is known to be.
            case .came(let player, _), .went(let player):
                if !outposts.isThere(player, butBy: node, and: target) { tellEdge(report, at: target) }
            case .watching: tellEdge(.watching(outposts.others(than: target).nameless), at: target)
            case .opened, .closed, .greeted, .spoke: break
            }
        }
    }

    private func tellEdge(_ report: AttendanceReport, at node: NodeName?) {
        if let node { tell(.others(report), to: node) } else { edge?.receive(others: report) }
    }

    /// Records that are in the log: each node gets each event once, however many members are there.
    func show(_ records: [Record]) {
        guard !outposts.isEmpty else { return }
        let events = records.map { LinkedEvent($0) }
        for node in outposts.nodes { tell(.events(events), to: node) }
    }

    /// What a member asked for of an edge. `node`: whose; nil is the home's own, where it was asked of another home.
    func handle(_ body: RoomMessage, from node: NodeName?) {
        switch body {
        case .command(let command): handle(command, from: node)
        case .say(let said, var address):
            address.node = node
            say(said, answering: address)
        default: break
        }
    }

    private func handle(_ command: RoomMessage.Command, from node: NodeName?) {
        var address = command.address
        address.node = node
        do throws(Rejection) {
            guard
                let known = try RoomCommand(
                    type: command.type, fields: command.fields, game: stream.state.kind)
            else { throw .unknownType(command.type) }
            // No command is from a time that has not come: the other node's clock may be ahead.
            let time = min(command.time, stream.now)
            let sent = GameStep(type: command.type, fields: command.fields)
            handle(RoomRequest(.member(command.player, address), known, sent: sent, at: time))
        } catch {
            surroundings.counters.refused(error)
            answer(RoomAnswer(address: address, result: .refused(error)))
        }
    }
}
