import EventStore
import Games
import JSON
import Records

/// A time in which rooms could not be played: the hub was not running, or a loop stood still or could not write. It
/// counts against nobody. Milliseconds since 1970.
struct Outage: HubStreamEntry, Equatable {
    /// One of the loops that a hub has, which all have the rooms of `shardIndex`.
    struct Loop: Equatable, Sendable {
        let index: Int
        let count: Int
    }

    let from: Milliseconds
    let until: Milliseconds
    /// The loop whose rooms could not be played; nil: no rooms could.
    var loop: Loop?
    /// What the database of several nodes knows of it, by its own clock; nil: it is not from there.
    var silence: Silence?

    /// Whether the room could not be played.
    fileprivate func concerns(_ room: String) -> Bool {
        loop.map { shardIndex(ofRoom: room, count: $0.count) == $0.index } ?? true
    }
}

/// The outages that are in the log.
struct Outages: Equatable, Sendable {
    /// Past so many, those are forgotten that no room can ask for any more.
    static let sizeLimit = 1_000
    /// Longer than any room runs without an event.
    private static let reach: Milliseconds = 60 * 86_400_000

    private(set) var all: [Outage] = []
    /// The newest end: nothing is to be looked for behind it, as for nearly every command.
    private(set) var latestEnd: Milliseconds = 0

    init(_ outages: [Outage] = []) { for outage in outages { add(outage) } }

    mutating func add(_ outage: Outage) {
        all.append(outage)
        latestEnd = max(latestEnd, outage.until)
        if all.count > Self.sizeLimit { all.removeAll { $0.until < latestEnd - Self.reach } }
    }

    /// Lets go of what was over by then.
    mutating func forget(before time: Milliseconds) { all.removeAll { $0.until < time } }

    /// When the first of them began, counting only time after `moment`; nil: all had ended by then.
    func earliest(after moment: Milliseconds) -> Milliseconds? {
        all.lazy.filter { $0.until > moment }.map { max($0.from, moment) }.min()
    }

    /// Whether it is in the log.
    func holds(_ silence: Silence) -> Bool { all.contains { $0.silence == silence } }

    /// How much of the time since `moment` `room` could not be played, and up to when; nil if it could all the time.
    /// Where outages overlap, the time counts once. `own`: those that are the room's alone.
    func missed(
        by room: String, since moment: Milliseconds, own: Outages = Outages()
    ) -> (span: Milliseconds, until: Milliseconds)? {
        guard latestEnd > moment || own.latestEnd > moment else { return nil }
        var (span, reached) = (0, moment)
        let missed = (all.lazy.filter { $0.until > moment && $0.concerns(room) } + own.all)
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
        if let silence { fields["silence"] = .integers([silence.since, silence.until]) }
        // Each node knows it by its own clock: one says so.
        let name = silence.map { "silence/\($0.since)-\($0.until)" } ?? "outage/\(from)-\(until)"
        return Commit(
            id: CommitID(text: name + (loop.map { "/\($0.index)" } ?? "")),
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
        if let times = fields["silence"]?.integers, times.count == 2 {
            silence = Silence(since: times[0], until: times[1])
        }
    }
}
