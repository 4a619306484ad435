import Cluster
import Games
import Records
import RoomRules
import Rooms

/// Keeps the times in which a shard's rooms could not be played. A hub with a log of its own writes them into the
/// stream `hub`. Until the shard has seen them all there, its rooms judge nothing, since no deadline may pass by time
/// that does not count. A node writes none: each of its rooms writes what it has lost into its own log, and another
/// node that takes the room before that knows since when it was not judged.
final class OutageRecorder {
    private let surroundings: RoomSurroundings
    private let loop: Outage.Loop
    /// Outages that the stream has not shown yet, in order.
    private var unseen: [Outage] = []
    private let writer: HubStreamWriter
    /// Since when rooms cannot be judged, as the log takes no writes or the node's lease has ended; nil if they can.
    private var downSince: Milliseconds?
    /// The end of the stream `hub` as last seen.
    private(set) var hubEnd: StreamEnd

    init(_ surroundings: RoomSurroundings, loop: Outage.Loop, hubEnd: StreamEnd) {
        self.surroundings = surroundings
        self.loop = loop
        self.hubEnd = hubEnd
        writer = HubStreamWriter(surroundings, behind: hubEnd)
    }

    /// The shard's loop was blocked, or its appends were not answered, during this time. Returns the outage; nil if it
    /// is part of the log's.
    func stoodStill(from: Milliseconds, until: Milliseconds) -> Outage? {
        downSince == nil ? add(from: from, until: until) : nil
    }

    func stopped(at time: Milliseconds) {
        surroundings.isLogDown = true
        // Nothing was played after an outage that is not in the log yet.
        downSince = downSince ?? unseen.last?.until ?? time
    }

    /// The log takes writes again, from a node that may write. Returns the outage that this ends.
    func writesResumed(at time: Milliseconds) -> Outage? {
        guard let from = downSince else { return nil }
        downSince = nil
        return add(from: from, until: max(from, time))
    }

    private func add(from: Milliseconds, until: Milliseconds) -> Outage {
        let from = unseen.last?.until ?? from
        let outage = Outage(from: from, until: until, loop: loop)
        surroundings.isStandingStill = true
        if !surroundings.isShared {
            unseen.append(outage)
            writer.add(outage)
        }
        return outage
    }

    /// Takes a record of the stream `hub` by any writer.
    func recordAppended(_ record: Record) {
        hubEnd = record.end
        writer.recordAppended(record)
        guard let outage = Outage(record) else { return }
        unseen.removeAll { $0 == outage }
        resumeIfAllIsSeen()
    }

    /// The stream has gone back to these records.
    func streamHasGoneBack(to records: [Record]) {
        hubEnd = records.last?.end ?? StreamName.hub.start
        writer.streamHasGoneBack(to: records)
    }

    /// The stream has lost the identity of the log.
    func writeAgain(_ origin: LogOrigin) { writer.add(origin) }

    func resumeIfAllIsSeen() {
        guard unseen.isEmpty, downSince == nil else { return }
        (surroundings.isLogDown, surroundings.isStandingStill) = (false, false)
    }

    /// Writes what is not in the log yet.
    func writeMissingEntries() { writer.writeMissingEntries() }
}
