import EventStore
import Games
import Records
import RoomRules

/// Keeps the times in which a shard's rooms could not be played. A hub that has its log for itself writes them into the
/// stream `hub`: until the shard has seen all of them there, its rooms judge nothing, since no deadline may pass by
/// time that does not count. A node writes none: each of its rooms knows what it has lost, and writes that into its own
/// log; and another node that takes a room before knows from when on nobody has judged it.
final class OutageRecorder {
    private let surroundings: RoomSurroundings
    private let loop: Outage.Loop
    /// What the stream has not shown yet, in order.
    private var unseen: [Outage] = []
    private let writer: HubStreamWriter
    /// Since when nothing can be judged, since the log takes no writes or the node's lease is out; nil while it can.
    private var downSince: Milliseconds?
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
        let outage = Outage(from: from, until: until, loop: loop)
        surroundings.isStandingStill = true
        if surroundings.cluster == nil {
            unseen.append(outage)
            writer.add(outage)
        }
        return outage
    }

    /// A record of the stream `hub`, whoever wrote it.
    func received(_ record: Record) {
        hubEnd = record.end
        writer.received(record)
        guard let outage = Outage(record) else { return }
        unseen.removeAll { $0 == outage }
        goOnIfAllIsSeen()
    }

    /// The stream has gone back: these are its records now.
    func streamHasGoneBack(to records: [Record]) {
        hubEnd = records.last?.end ?? StreamName.hub.start
        writer.streamHasGoneBack(to: records)
    }

    /// The stream has lost which log this is.
    func writeAgain(_ origin: LogOrigin) { writer.add(origin) }

    func goOnIfAllIsSeen() {
        guard unseen.isEmpty, downSince == nil else { return }
        (surroundings.isLogDown, surroundings.isStandingStill) = (false, false)
    }

    /// Has what is not in the log yet written there.
    func goOn() { writer.goOn() }
}
