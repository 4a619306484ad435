import Games
import JSON
import Records

/// One start of a node's process, while it serves rooms.
public struct NodeRun: Equatable, Sendable {
    public let node: NodeName
    /// Random for each start.
    public let run: String
    /// Where other nodes reach it.
    public let address: String

    public init(node: NodeName, run: String, address: String) {
        (self.node, self.run, self.address) = (node, run, address)
    }
}

/// A record about nodes in the stream `hub`.
public enum NodeRecord: HubStreamEntry, Equatable, Sendable {
    /// The node serves rooms from now on.
    case joined(NodeRun, at: Milliseconds)
    /// The node was told to stop and has given up its rooms. It writes nothing after this, since that would come after
    /// what the next homes have read. `settled`: until when rooms that it could not give up are owed nothing; nil if
    /// that does not matter, as in a record that was read.
    case left(run: String, settled: Milliseconds? = nil, at: Milliseconds)
    /// The node was found to be gone, and its rooms are owed nothing until `settled`. It writes nothing after this.
    /// `renewals`: if its lease was renewed more often, it is running, and this is not written; nil if its lease does
    /// not matter, as in a record that was read.
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

    public var time: Milliseconds {
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

    /// A node that is declared lost may have left.
    public var maySayWrong: Bool { if case .lost = self { true } else { false } }

    public func commit(expecting end: StreamEnd) -> Commit { commit(expecting: end, writtenAt: time) }

    /// A room's next home waits from when the loss of the last one is recorded.
    public func commit(expecting end: StreamEnd, writtenAt now: Milliseconds) -> Commit {
        var fields: Fields = ["type": .string(kind.rawValue), "run": .string(run), "at": .integer(time)]
        switch self {
        case .joined(let node, _):
            (fields["node"], fields["address"]) = (.string(node.node.text), .string(node.address))
        case .left: break
        case .lost(_, let settled, _, _): fields["settled"] = .integer(settled)
        }
        let event = Event(time: time, type: kind.rawValue, shown: JSONWriter.bytes(fields))
        // A loss is recorded once, even if two find it. A node whose name another run had must be able to join later.
        let id: CommitID =
            if case .joined = self { "\(kind.rawValue)/\(run)/\(time)" } else { "\(kind.rawValue)/\(run)" }
        return Commit(id: id, parts: [.append([event], to: .hub, expecting: end)], fencing: fencing(at: now))
    }

    /// The run that must not write after this.
    private func fencing(at now: Milliseconds) -> Fencing? {
        switch self {
        case .joined: nil
        case .left(let run, let settled, let time): Fencing(run: run, settled: settled ?? time, time: time)
        case .lost(let run, let settled, let renewals, let time):
            Fencing(run: run, renewals: renewals, settled: settled, time: max(time, now))
        }
    }

    /// Nil for other records.
    public init?(_ record: Record) {
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
