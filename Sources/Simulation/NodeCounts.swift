import Hub

/// The work of a run's nodes for each recorded event: which work needs which processor, for any number of nodes.
public struct NodeCounts: Sendable {
    /// One kind of work.
    public struct Work: Sendable {
        public let name: String
        /// By node.
        fileprivate let amounts: [Int]

        /// By all nodes, for each of `events`.
        public func ofAll(_ events: Int) -> Double { Double(amounts.reduce(0, +)) / Double(max(events, 1)) }
        /// By the busiest node, for each of `events`.
        public func ofBusiest(_ events: Int) -> Double { Double(amounts.max() ?? 0) / Double(max(events, 1)) }
    }

    /// Records of rooms.
    public let events: Int
    /// In the order in which an event passes.
    public let works: [Work]

    init(of world: World) {
        let records = world.disk.storage.records.filter { $0.stream.roomCode != nil }
        events = records.count
        let figures = world.nodes.map { $0.process?.hub.figures ?? HubFigures() }
        works = [
            Work(name: "commits", amounts: [Set(records.map(\.commit)).count]),
            Work(name: "events folded", amounts: figures.map(\.folded)),
            Work(name: "messages over links", amounts: figures.map(\.linkMessages)),
            Work(name: "of these, to all of a room", amounts: figures.map(\.linkBroadcasts)),
            Work(name: "bytes over links", amounts: figures.map(\.linkBytes)),
            Work(name: "messages to clients", amounts: world.nodes.map(\.frames)),
        ]
    }
}
