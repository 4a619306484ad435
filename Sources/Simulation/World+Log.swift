import EventStore
import ReferenceModel

// What the log is told, and tells, besides what hubs say.
extension World {
    /// What the log has written since this was called last.
    func noteRecords() {
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
                    counts.note(record, fates.recent)
                }
                if let stream = records.first?.stream { note(records.map { LoggedEvent($0) }, of: stream) }
            case .erased(_, let stream): model.erased(stream.text)
            }
        }
    }

    /// Which runs have claimed which rooms since. `isGoingBack`: or had, by what the database has gone back to.
    func noteClaims(isGoingBack: Bool = false) {
        guard isCluster, let claims = disk.storage.claims(since: claimChanges) else { return }
        let before = self.claims
        (claimChanges, self.claims) = (claims.changes, claims.holders)
        for stream in Set(before.keys).union(claims.holders.keys).sorted(by: { $0.text < $1.text })
        where before[stream] != claims.holders[stream] {
            guard let code = stream.roomCode else { continue }
            if let loser = before[stream], claims.holders[stream] != nil, !isGoingBack, !disk.storage.isFenced(loser) {
                fail("a room is taken from no run that may be there", "room \(code) of \(loser)")
            }
            trace("claim of \(code): \(claims.holders[stream] ?? "nobody")")
            model.claimed(code, by: claims.holders[stream])
        }
    }

    private func note(_ commit: [LoggedEvent], of stream: StreamName) {
        model.recorded(commit)
        guard let code = stream.roomCode else { return }
        for player in model.awaited(in: code) { players[player]?.nudge() }
    }

    /// What another writer might append to the stream that `commit` is for: something harmless to a room.
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
