import Cryptography
import EventStore
import Records
import RoomRules

/// The newest snapshot of a room. Its home writes it, and reading the room's log starts with it.
struct SnapshotRow: Equatable {
    let code: String
    /// The room's version with the hash of its record, which the log must have.
    let end: StreamEnd
    /// As `RoomSnapshot` writes it.
    let bytes: [UInt8]
}

extension SnapshotRow {
    init(_ snapshot: RoomSnapshot) {
        (code, end, bytes) = (snapshot.state.code, snapshot.state.end, snapshot.bytes)
    }
}

extension SnapshotRow: ReadModelRow {
    static let table = RowTable(
        "snapshots", columns: [.text("code"), .integer("version"), .bytes("head"), .bytes("bytes")],
        key: ["code"], version: "version", indexes: [RowIndex("code", ["code", "version"])])

    var values: [RowValue] { [.text(code), .integer(end.version), .bytes(end.head.bytes), .bytes(bytes)] }

    init?(_ values: [RowValue]) {
        guard let head = Digest(bytes: values[2].bytes) else { return nil }
        (code, bytes) = (values[0].text, values[3].bytes)
        end = StreamEnd(version: values[1].integer, head: head)
    }
}

extension ReadModelQuery<SnapshotRow> {
    static func snapshot(ofRoom code: String) -> Self {
        Self(walks: [RowQuery(SnapshotRow.table, by: "code", equal: [.text(code)], limit: 1)])
    }
}
