import EventStore
import Games

/// Writes the times in which a shard's rooms could not be played into the stream `hub`. Until the shard has seen all of
/// them there, and the log takes writes, its rooms judge nothing: no deadline may pass by time that does not count.
final class OutageRecorder {
    private let surroundings: RoomSurroundings
    private let loop: Outage.Loop
    /// What the stream has not shown yet, in order.
    private var unseen: [Outage] = []
    /// What has not been appended yet; the first is on its way there while `isAppending`.
    private var unwritten: [Outage] = []
    private var isAppending = false
    /// Since when the log takes no writes; nil while it does.
    private var downSince: Milliseconds?
    /// Records of the stream `hub` that have been seen.
    private(set) var hubVersion: Int
    /// Where the next append expects the stream to end: somebody else's record may be on its way here.
    private var expected: StreamEnd

    init(_ surroundings: RoomSurroundings, loop: Outage.Loop, hubEnd: StreamEnd) {
        self.surroundings = surroundings
        self.loop = loop
        hubVersion = hubEnd.version
        expected = hubEnd
    }

    /// The shard's loop has not turned from one time to the other.
    func stoodStill(from: Milliseconds, until: Milliseconds) {
        // Within an outage of the log it is part of that.
        if downSince == nil { add(from: from, until: until) }
    }

    func logWentDown(at time: Milliseconds) {
        surroundings.isLogDown = true
        // Nothing was played behind an outage that is not in the log yet.
        downSince = downSince ?? unseen.last?.until ?? time
    }

    /// The log takes writes again.
    func logIsBack(at time: Milliseconds) {
        guard let from = downSince else { return }
        downSince = nil
        add(from: from, until: max(from, time))
    }

    private func add(from: Milliseconds, until: Milliseconds) {
        let outage = Outage(from: unseen.last?.until ?? from, until: until, loop: loop)
        unseen.append(outage)
        unwritten.append(outage)
        surroundings.isStandingStill = true
        appendNext()
    }

    /// A record of the stream `hub`, whoever wrote it.
    func received(_ record: Record) {
        hubVersion = record.version
        if record.version > expected.version { expected = record.end }
        guard let outage = Outage(record) else { return }
        surroundings.outages.add(outage)
        unseen.removeAll { $0 == outage }
        guard unseen.isEmpty, downSince == nil else { return }
        (surroundings.isLogDown, surroundings.isStandingStill) = (false, false)
    }

    /// Has what is not in the log yet written there, one after the other.
    func appendNext() {
        guard !isAppending, let outage = unwritten.first else { return }
        isAppending = true
        surroundings.append(outage.commit(expecting: expected)) { [self] outcome in
            isAppending = false
            switch outcome {
            case .appended, .repeated: unwritten.removeFirst()
            // An outage is one whatever came before it.
            case .conflict(_, let actual): expected = actual
            case .outcomeUnknown: break
            // Tried again when the log is back, and with each sweep: its queue may have been full.
            case .unavailable: return
            }
            appendNext()
        }
    }
}
