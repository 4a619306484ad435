import EventStore
import Games

/// Writes the times in which a shard's rooms could not be played into the stream `hub`. Until the shard has seen all of
/// them there, and the log takes writes, its rooms judge nothing: no deadline may pass by time that does not count.
final class OutageRecorder {
    private let surroundings: RoomSurroundings
    private let loop: Outage.Loop
    /// What the stream has not shown yet, in order.
    private var unseen: [Outage] = []
    private let writer: HubStreamWriter
    /// Since when nothing can be judged, since the log takes no writes or the node's lease is out; nil while it can.
    private var downSince: Milliseconds?
    /// The nodes that served, as this loop knew them, before each of the last changes, and when it heard of that.
    private var served: [(nodes: [NodeName], until: Milliseconds)] = []
    /// More changes than come while a node stands still that is not lost by that.
    static let servedLimit = 16
    /// The stream `hub`, as far as it has been seen.
    private(set) var hubEnd: StreamEnd

    init(_ surroundings: RoomSurroundings, loop: Outage.Loop, hubEnd: StreamEnd) {
        self.surroundings = surroundings
        self.loop = loop
        self.hubEnd = hubEnd
        writer = HubStreamWriter(surroundings, behind: hubEnd)
    }

    /// The shard's loop has not turned, or its appends were not answered, from one time to the other. The outage that
    /// this was; nil: a part of the log's.
    func stoodStill(from: Milliseconds, until: Milliseconds) -> Outage? {
        // Within an outage of the log it is part of that.
        downSince == nil ? add(from: from, until: until) : nil
    }

    func stopped(at time: Milliseconds) {
        surroundings.isLogDown = true
        // Nothing was played behind an outage that is not in the log yet.
        downSince = downSince ?? unseen.last?.until ?? time
    }

    /// The log takes writes again, from a node that may. The outage that is over by that.
    func mayGoOn(at time: Milliseconds) -> Outage? {
        guard let from = downSince else { return nil }
        downSince = nil
        return add(from: from, until: max(from, time))
    }

    private func add(from: Milliseconds, until: Milliseconds) -> Outage {
        let from = unseen.last?.until ?? from
        var outage = Outage(from: from, until: until, loop: loop)
        outage.node = surroundings.cluster.map { cluster in
            Outage.Node(name: cluster.node, serving: serving(at: from))
        }
        unseen.append(outage)
        surroundings.isStandingStill = true
        writer.add(outage)
        return outage
    }

    /// The nodes that served at a time, as was known then, or by now if this one had not joined.
    private func serving(at time: Milliseconds) -> [NodeName] {
        let then = served.first { $0.until > time }?.nodes ?? []
        return then.isEmpty ? surroundings.history.roll.serving(with: surroundings.run) : then
    }

    /// Others serve by now than by `roll`.
    func nodesChanged(from roll: NodeRoll) {
        served.append((roll.serving(with: surroundings.run), surroundings.now))
        if served.count > Self.servedLimit { served.removeFirst() }
    }

    /// A record of the stream `hub`, whoever wrote it.
    func received(_ record: Record) {
        hubEnd = record.end
        writer.received(record)
        guard let outage = Outage(record) else { return }
        unseen.removeAll { $0 == outage }
        goOnIfAllIsSeen()
    }

    /// The stream has gone back: these are its records now. `lost`: what it held of this loop, which is written again.
    func streamHasGoneBack(to records: [Record], losing lost: [Outage]) {
        hubEnd = records.last?.end ?? StreamName.hub.start
        writer.streamHasGoneBack(to: records)
        unseen = lost + unseen.filter { !lost.contains($0) }
        let known = records.compactMap { Outage($0) }
        unseen.removeAll { known.contains($0) }
        if !unseen.isEmpty { surroundings.isStandingStill = true }
        for outage in lost { writer.add(outage) }
        goOnIfAllIsSeen()
    }

    /// The stream has lost which log this is.
    func writeAgain(_ origin: LogOrigin) { writer.add(origin) }

    private func goOnIfAllIsSeen() {
        guard unseen.isEmpty, downSince == nil else { return }
        (surroundings.isLogDown, surroundings.isStandingStill) = (false, false)
    }

    /// Has what is not in the log yet written there.
    func goOn() { writer.goOn() }
}
