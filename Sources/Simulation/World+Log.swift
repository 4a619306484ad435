import EventStore
import Records
import ReferenceModel

// Checks of what the log does besides what hubs say.
extension World {
    /// Notes what the log has written since the last call. `run` made that call; nil if none or several did.
    func noteRecords(by run: String? = nil) {
        defer { noteClaims() }
        let changes = disk.storage.changes(after: notedChanges)
        notedChanges += changes.count
        for change in changes {
            switch change {
            case .records(let records):
                for record in records {
                    trace(
                        "log \(record.stream.text) \(record.commit.text)", record.event.shown,
                        room: record.stream.roomCode)
                    digest.add(record.event.shown)
                    counts.countRecord(record, fates.recent)
                }
                guard let first = records.first else { continue }
                if let run { checkClaim(of: first, by: run) }
                recordCommit(records.map { LoggedEvent($0) }, of: first.stream)
            case .erased(_, let stream): model.streamErased(stream.text)
            }
        }
    }

    /// Notes new claims of rooms. `isGoingBack`: the database has gone back to earlier ones.
    func noteClaims(isGoingBack: Bool = false) {
        guard isCluster, let claims = disk.storage.claims(since: claimChanges) else { return }
        let before = self.claims
        (claimChanges, self.claims) = (claims.changes, claims.holders)
        for stream in Set(before.keys).union(claims.holders.keys).sorted(by: { $0.text < $1.text })
        where before[stream] != claims.holders[stream] {
            guard let code = stream.roomCode else { continue }
            if let loser = before[stream], claims.holders[stream] != nil, !isGoingBack, !disk.storage.isFenced(loser) {
                fail("no room is taken from a run that may be alive", "room \(code) of \(loser)")
            }
            trace("claim of \(code): \(claims.holders[stream] ?? "no one")")
            model.roomClaimed(code, by: claims.holders[stream])
        }
    }

    /// A room is opened without a claim, and another writer's event is a fault of the log.
    private func checkClaim(of record: Record, by run: String) {
        guard isCluster, let code = record.stream.roomCode, record.version > 1, now > lastFailOver + Self.claimingAgain,
            !record.commit.text.hasPrefix("other/"), claims[record.stream] != run
        else { return }
        fail("a run writes only to rooms that it has claimed", "\(run): room \(code), version \(record.version)")
    }

    /// How long a node may rely on a claim that a failover has lost, in microseconds.
    private static let claimingAgain = 15_000_000

    /// Checks what hubs have written to their own logs since the last call.
    func checkLogLines() {
        for (text, values) in logLines.takeAll() {
            trace("logged: \(text) \(values)")
            model.lineLogged(text, values)
        }
    }

    private func recordCommit(_ commit: [LoggedEvent], of stream: StreamName) {
        model.eventsRecorded(commit)
        guard let code = stream.roomCode else { return }
        for player in model.awaited(in: code) { players[player]?.nudge() }
    }

    /// A harmless event that another writer might append to the stream of `commit`.
    func otherCommit(ahead commit: Commit) -> Commit? {
        guard case .append(_, let stream, let end) = commit.parts[0], stream.roomCode != nil, end.version > 0,
            disk.storage.end(of: stream) == end, let last = disk.storage.records(of: stream).last
        else { return nil }
        otherCommits += 1
        let visibility = delays.element(of: Openings.visibilities)
        let start = #"{"v":\#(end.version + 1),"t":\#(last.event.time),"type":"visibility-changed""#
        let shown = start + #","visibility":"\#(visibility)"}"#
        let event = Event(time: last.event.time, type: "visibility-changed", shown: Array(shown.utf8))
        return Commit(id: "other/\(otherCommits)", appending: [event], to: stream, expecting: end)
    }
}

extension LoggedEvent {
    init(_ record: Record) {
        self.init(
            stream: record.stream.text, version: record.version, commit: record.commit.text,
            shown: record.event.shown, sealed: record.event.sealed, head: record.hash.bytes)
    }
}
