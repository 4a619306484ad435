import Cryptography
import Records

/// Who follows what on one `InMemoryLog`, and how far each has been told: nobody hears of anything twice, or of what is
/// behind a gap, whoever wrote it and however it is found.
struct InMemoryFollowers: Sendable {
    private struct StreamFollower: Sendable {
        let ticket: Ticket
        let inbox: any LogInbox
        var end: StreamEnd
        /// How many erasures of the stream it knows of.
        var erasures: Int

        /// Throws where the stream has become another than the one that it was told of, and longer.
        mutating func hear(
            of stream: StreamName, in ledger: Ledger, upTo position: Int, with hasher: SHA256,
            in outbox: inout Outbox
        ) throws(EventLogError) {
            for erasure in ledger.erasures(of: stream).dropFirst(erasures) where erasure.position <= position {
                outbox.add(.erased(ticket, erasure), to: inbox)
                (end, erasures) = (stream.start, erasures + 1)
            }
            let count = ledger.records(of: stream).dropFirst(end.version).prefix { $0.position <= position }.count
            guard count > 0 else { return }
            guard ledger.end(of: stream, at: end.version) == end else {
                throw .chainBroken(stream: stream, version: end.version + 1)
            }
            for commit in try ledger.load(stream, after: end.version, limit: count, with: hasher).byCommit {
                outbox.add(.records(ticket, commit), to: inbox)
                if let last = commit.last { end = last.end }
            }
        }
    }

    private struct AllFollower: Sendable {
        let ticket: Ticket
        let inbox: any LogInbox
        var position: Int
    }

    private var sources: [Followers.Key: Followers.Source] = [:]
    private var ofStreams: [StreamName: [StreamFollower]] = [:]
    private var ofAll: [AllFollower] = []

    var isAllFollowed: Bool { !ofAll.isEmpty }

    /// The streams that are followed, always in the same order.
    var streams: [StreamName] { ofStreams.keys.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) } }

    /// It has been told of all of `stream` that is in `ledger`.
    mutating func add(_ ticket: Ticket, _ inbox: any LogInbox, to stream: StreamName, in ledger: Ledger) {
        remove(ticket, inbox)
        sources[Followers.Key(ticket, inbox)] = .stream(stream)
        ofStreams[stream, default: []].append(
            StreamFollower(
                ticket: ticket, inbox: inbox, end: ledger.end(of: stream), erasures: ledger.erasures(of: stream).count))
    }

    /// It has been told of all up to `position`.
    mutating func addToAll(_ ticket: Ticket, _ inbox: any LogInbox, at position: Int) {
        remove(ticket, inbox)
        sources[Followers.Key(ticket, inbox)] = .all
        ofAll.append(AllFollower(ticket: ticket, inbox: inbox, position: position))
    }

    mutating func remove(_ ticket: Ticket, _ inbox: any LogInbox) {
        switch sources.removeValue(forKey: Followers.Key(ticket, inbox)) {
        case .stream(let stream):
            ofStreams[stream]?.removeAll { $0.ticket == ticket && $0.inbox === inbox }
            if ofStreams[stream]?.isEmpty == true { ofStreams[stream] = nil }
        case .all: ofAll.removeAll { $0.ticket == ticket && $0.inbox === inbox }
        case nil: break
        }
    }

    /// Tells of what `changes` did, and of all before it that is new to somebody: to those of all no further than
    /// `horizon`.
    mutating func tell(
        _ changes: [StreamChange], of ledger: Ledger, upTo horizon: Int, with hasher: SHA256, in outbox: inout Outbox
    ) {
        for change in changes {
            if let stream = change.stream {
                tell(of: stream, in: ledger, upTo: change.position, with: hasher, in: &outbox)
            }
            tellOfAll(in: ledger, upTo: min(change.position, horizon), in: &outbox)
        }
    }

    /// Tells followers of all what is new to them.
    mutating func tellOfAll(in ledger: Ledger, upTo position: Int, in outbox: inout Outbox) {
        for index in ofAll.indices where ofAll[index].position < position {
            let follower = ofAll[index]
            for change in ledger.changes(after: follower.position, through: position) {
                outbox.add(change.message(follower.ticket), to: follower.inbox)
            }
            ofAll[index].position = position
        }
    }

    /// Tells followers of `stream` what is new to them. Those to whom it does not fit are told that, and do not follow
    /// it any more.
    mutating func tell(
        of stream: StreamName, in ledger: Ledger, upTo position: Int = .max, with hasher: SHA256,
        in outbox: inout Outbox
    ) {
        var failed: [StreamFollower] = []
        for index in (ofStreams[stream] ?? []).indices {
            do throws(EventLogError) {
                try ofStreams[stream]?[index].hear(of: stream, in: ledger, upTo: position, with: hasher, in: &outbox)
            } catch {
                guard let follower = ofStreams[stream]?[index] else { continue }
                outbox.add(.followFailed(follower.ticket, error), to: follower.inbox)
                failed.append(follower)
            }
        }
        for follower in failed { remove(follower.ticket, follower.inbox) }
    }
}
