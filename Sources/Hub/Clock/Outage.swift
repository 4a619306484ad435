import EventStore
import Games

/// A time in which rooms could not be played: the hub was not running, or a loop stood still or could not write. It
/// counts against nobody. Milliseconds since 1970.
struct Outage: HubStreamEntry, Equatable {
    /// One of the loops that a hub has, which all have the rooms of `shardIndex`.
    struct Loop: Equatable, Sendable {
        let index: Int
        let count: Int
    }

    /// A node, and all that served rooms when its outage began, as it knew them: what the log says of that may be lost
    /// with a database that fails over. Empty: it had not joined, and no room could not be played.
    struct Node: Equatable, Sendable {
        let name: NodeName
        let serving: [NodeName]
    }

    let from: Milliseconds
    let until: Milliseconds
    /// The loop whose rooms could not be played; nil: no rooms could.
    var loop: Loop?
    /// The node whose rooms they were; nil: of a hub on its own, or of all nodes.
    var node: Node?
}

/// An outage, and which nodes served when it was recorded: rooms may have come to the node meanwhile.
struct HomeOutage: Equatable, Sendable {
    let outage: Outage
    let serving: [NodeName]

    init(_ outage: Outage, recordedAmong serving: [NodeName] = []) { (self.outage, self.serving) = (outage, serving) }

    /// Whether the room could not be played.
    func concerns(_ room: String) -> Bool {
        if let node = outage.node {
            guard !node.serving.isEmpty,
                [node.serving, serving].contains(where: { Membership.home(ofRoom: room, among: $0) == node.name })
            else { return false }
        }
        return outage.loop.map { shardIndex(ofRoom: room, count: $0.count) == $0.index } ?? true
    }
}

/// The outages that are in the log.
struct Outages: Equatable, Sendable {
    /// Past so many, those are forgotten that no room can ask for any more.
    static let sizeLimit = 1_000
    /// Longer than any room runs without an event.
    private static let reach: Milliseconds = 60 * 86_400_000

    private var all: [HomeOutage] = []
    /// The newest end: nothing is to be looked for behind it, as for nearly every command.
    private(set) var latestEnd: Milliseconds = 0

    init(_ outages: [Outage] = []) { for outage in outages { add(HomeOutage(outage)) } }

    mutating func add(_ outage: HomeOutage) {
        all.append(outage)
        latestEnd = max(latestEnd, outage.outage.until)
        if all.count > Self.sizeLimit { all.removeAll { $0.outage.until < latestEnd - Self.reach } }
    }

    /// Those of a loop that `others` does not hold.
    func missing(from others: Outages, of loop: Outage.Loop, on node: NodeName?) -> [Outage] {
        let known = others.all.map(\.outage)
        return all.map(\.outage).filter { $0.loop == loop && $0.node?.name == node && !known.contains($0) }
    }

    /// How much of the time since `moment` `room` could not be played, and up to when; nil if it could all the time.
    /// Where outages overlap, the time counts once. `own`: those that are the room's alone.
    func missed(
        by room: String, since moment: Milliseconds, own: [Outage] = []
    ) -> (span: Milliseconds, until: Milliseconds)? {
        guard latestEnd > moment || !own.isEmpty else { return nil }
        var (span, reached) = (0, moment)
        let missed = (all.lazy.filter { $0.outage.until > moment && $0.concerns(room) }.map(\.outage) + own)
            .filter { $0.until > moment }
        for outage in missed.sorted(by: { $0.from < $1.from }) {
            span += max(0, outage.until - max(outage.from, reached))
            reached = max(reached, outage.until)
        }
        return span > 0 ? (span, reached) : nil
    }
}

// Outages in the stream `hub`.
extension Outage {
    static let type = "outage"

    func commit(expecting end: StreamEnd) -> Commit {
        var fields: Fields = ["type": .string(Self.type), "from": .integer(from), "to": .integer(until)]
        if let loop { (fields["loop"], fields["loops"]) = (.integer(loop.index), .integer(loop.count)) }
        if let node {
            fields["node"] = .string(node.name.text)
            fields["nodes"] = .strings(node.serving.map(\.text))
        }
        let place = (loop.map { "/\($0.index)" } ?? "") + (node.map { "/\($0.name.text)" } ?? "")
        return Commit(
            id: "outage/\(from)-\(until)\(place)",
            appending: [Event(time: until, type: Self.type, shown: JSONWriter.bytes(fields))], to: .hub, expecting: end)
    }

    /// Nil for records that are no outages.
    init?(_ record: Record) {
        guard record.event.type == Self.type, let fields = (try? JSONReader.read(record.event.shown))?.object,
            let from = fields["from"]?.integer, let until = fields["to"]?.integer
        else { return nil }
        self.init(from: from, until: until)
        if let index = fields["loop"]?.integer, let count = fields["loops"]?.integer, count > 0 {
            loop = Loop(index: index, count: count)
        }
        node = fields["node"]?.string.map {
            Node(name: NodeName($0), serving: fields["nodes"]?.strings?.map { NodeName($0) } ?? [])
        }
    }
}
