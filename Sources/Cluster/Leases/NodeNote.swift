import Games
import JSON
import RoomRules

/// What a node publishes with its lease.
public struct NodeNote: Equatable {
    /// The node's name, and where others reach it.
    public let node: NodeName
    public let address: String
    /// By the clock of the node's hub.
    let now: Milliseconds
    /// By the database's clock, as the node knows it.
    public let wall: Milliseconds
    /// All time that its rooms have lost before this, by its hub's clock, is in the log.
    var settled: Milliseconds
    /// Whether it is about to serve rooms. Others link to it before it does.
    public var isJoining = false
    /// How many serving nodes it is linked to.
    public var links = 0
    /// The types of all events of rooms that it reads.
    var reads: [String] = []
    /// How operators reach it, and its figures, in their own form.
    public var door, figures: Fields?

    init(node: NodeName, address: String, now: Milliseconds, wall: Milliseconds) {
        (self.node, self.address, self.now, self.wall, settled) = (node, address, now, wall, now)
    }

    /// The node's time when the database's clock shows `wall`; nil if it may not be running, because it said so longer
    /// than `age` ago, or the database's clock was set since.
    func time(at wall: Milliseconds, notOlderThan age: Milliseconds) -> Milliseconds? {
        (0...age).contains(wall - self.wall) ? now + wall - self.wall : nil
    }

    var bytes: [UInt8] {
        var fields: Fields = [
            "node": .string(node.text), "address": .string(address), "now": .integer(now), "wall": .integer(wall),
            "settled": .integer(settled), "joining": .bool(isJoining), "links": .integer(links),
            "reads": .strings(reads),
        ]
        if let door { fields["operator"] = .object(door) }
        if let figures { fields["figures"] = .object(figures) }
        return JSONWriter.bytes(fields)
    }

    /// Nil if this release cannot read it.
    public init?(_ bytes: [UInt8]) {
        guard let fields = (try? JSONReader.read(bytes))?.object, let node = fields["node"]?.string,
            let address = fields["address"]?.string, let now = fields["now"]?.integer,
            let wall = fields["wall"]?.integer, let settled = fields["settled"]?.integer,
            let isJoining = fields["joining"]?.bool, let links = fields["links"]?.integer
        else { return nil }
        self.init(node: NodeName(node), address: address, now: now, wall: wall)
        (self.settled, self.isJoining, self.links) = (settled, isJoining, links)
        reads = fields["reads"]?.strings ?? []
        (door, figures) = (fields["operator"]?.object, fields["figures"]?.object)
    }
}
