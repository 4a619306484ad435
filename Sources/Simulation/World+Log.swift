import EventStore
import ReferenceModel

// What the log is told, and tells, besides what hubs say.
extension World {
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
