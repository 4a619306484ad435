import Cryptography
import Records

/// The followers of one `InMemoryLog` and how far each has read. No follower gets anything twice, or anything after a
/// gap, no matter who wrote it and how the log found it.
struct InMemoryFollowers: Sendable {
    private struct StreamFollower: Sendable {
        let ticket: Ticket
        let inbox: any LogInbox
        var end: StreamEnd
        /// How many erasures of the stream it has been sent.
        var erasures: Int

        /// Throws if the stream has grown from something other than what the follower was sent.
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

    /// The followed streams, always in the same order.
    var streams: [StreamName] { ofStreams.keys.sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) } }

    /// The follower has been sent all of `stream` in `ledger`.
    mutating func add(_ ticket: Ticket, _ inbox: any LogInbox, to stream: StreamName, in ledger: Ledger) {
        remove(ticket, inbox)
        sources[Followers.Key(ticket, inbox)] = .stream(stream)
        ofStreams[stream, default: []].append(
            StreamFollower(
                ticket: ticket, inbox: inbox, end: ledger.end(of: stream), erasures: ledger.erasures(of: stream).count))
    }

    /// The follower has been sent all up to `position`.
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

    /// Sends `changes` and everything before them that a follower does not have yet. Followers of all streams get it up
    /// to `horizon`.
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

    /// Sends followers of all streams what is new to them.
    mutating func tellOfAll(in ledger: Ledger, upTo position: Int, in outbox: inout Outbox) {
        for index in ofAll.indices where ofAll[index].position < position {
            let follower = ofAll[index]
            for change in ledger.changes(after: follower.position, through: position) {
                outbox.add(change.message(follower.ticket), to: follower.inbox)
            }
            ofAll[index].position = position
        }
    }

    /// Sends followers of `stream` what is new to them. If it does not fit what a follower was sent, the follower gets
    /// `followFailed` and is removed.
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
