import EventStore
import Games
import JSON
import Records

/// One start of a node's process, for as long as it serves rooms.
struct NodeRun: Equatable, Sendable {
    let node: NodeName
    /// Drawn anew by each start.
    let run: String
    /// Where other nodes reach it.
    let address: String
}

/// What stands in the stream `hub` about nodes.
enum NodeRecord: HubStreamEntry, Equatable {
    /// It serves rooms from now on.
    case joined(NodeRun, at: Milliseconds)
    /// It has given up its rooms, since it was told to stop. From here on it writes nothing: what is under way would
    /// come after what the next homes have read. `settled`: up to when rooms that it could not give up are owed no
    /// time; nil, as for what is read: that does not matter.
    case left(run: String, settled: Milliseconds? = nil, at: Milliseconds)
    /// It was found to be gone; up to `settled` its rooms are owed no time. From here on it writes nothing. `renewals`:
    /// if its lease has been renewed more often it is there, and this is not written; nil, as for what is read: it is
    /// gone, and its lease does not matter.
    case lost(run: String, settled: Milliseconds, renewals: Int? = nil, at: Milliseconds)

    private enum Kind: String {
        case joined = "node-joined"
        case left = "node-left"
        case lost = "node-lost"
    }

    private var kind: Kind {
        switch self {
        case .joined: .joined
        case .left: .left
        case .lost: .lost
        }
    }

    var time: Milliseconds {
        switch self {
        case .joined(_, let time), .left(_, _, let time), .lost(_, _, _, let time): time
        }
    }

    private var run: String {
        switch self {
        case .joined(let node, _): node.run
        case .left(let run, _, _), .lost(let run, _, _, _): run
        }
    }

    /// A node that is taken for lost may have left.
    var maySayWrong: Bool { if case .lost = self { true } else { false } }

    func commit(expecting end: StreamEnd) -> Commit { commit(expecting: end, writtenAt: time) }

    /// A room's next home waits from when the loss of the one before is recorded.
    func commit(expecting end: StreamEnd, writtenAt now: Milliseconds) -> Commit {
        var fields: Fields = ["type": .string(kind.rawValue), "run": .string(run), "at": .integer(time)]
        switch self {
        case .joined(let node, _):
            (fields["node"], fields["address"]) = (.string(node.node.text), .string(node.address))
        case .left: break
        case .lost(_, let settled, _, _): fields["settled"] = .integer(settled)
        }
        let event = Event(time: time, type: kind.rawValue, shown: JSONWriter.bytes(fields))
        // Whoever finds it to be gone says so once; who could not join, since another run had the name, tries again.
        let id: CommitID =
            if case .joined = self { "\(kind.rawValue)/\(run)/\(time)" } else { "\(kind.rawValue)/\(run)" }
        return Commit(
            id: id, parts: [.append([event], to: .hub, expecting: end)], fencing: fencing(at: now))
    }

    /// The run that writes nothing after this.
    private func fencing(at now: Milliseconds) -> Fencing? {
        switch self {
        case .joined: nil
        case .left(let run, let settled, let time): Fencing(run: run, settled: settled ?? time, time: time)
        case .lost(let run, let settled, let renewals, let time):
            Fencing(run: run, renewals: renewals, settled: settled, time: max(time, now))
        }
    }

    /// Nil for records of anything else.
    init?(_ record: Record) {
        guard let kind = Kind(rawValue: record.event.type),
            let fields = (try? JSONReader.read(record.event.shown))?.object, let run = fields["run"]?.string,
            let time = fields["at"]?.integer
        else { return nil }
        switch kind {
        case .joined:
            guard let node = fields["node"]?.string, let address = fields["address"]?.string else { return nil }
            self = .joined(NodeRun(node: NodeName(node), run: run, address: address), at: time)
        case .left: self = .left(run: run, at: time)
        case .lost:
            guard let settled = fields["settled"]?.integer else { return nil }
            self = .lost(run: run, settled: settled, at: time)
        }
    }
}
