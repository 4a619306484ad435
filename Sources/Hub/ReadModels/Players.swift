import Cryptography
import EventStore
import Records
import RoomRules

/// A player that has a name.
struct PlayerRow: Equatable {
    let id: PlayerID
    let name: String
    /// The head of the name's stream, by which an erasure finds the row.
    let head: Digest
}

extension PlayerRow: ReadModelRow {
    static let table = RowTable(
        "players", columns: [.text("id"), .text("name"), .bytes("head")], key: ["id"],
        indexes: [RowIndex("id", ["id", "head"]), RowIndex("head", ["head"])])

    var values: [RowValue] { [.text(id), .text(name), .bytes(head.bytes)] }

    init?(_ values: [RowValue]) {
        // A row whose head is not a digest is damaged, so it names no one.
        guard let head = Digest(bytes: values[2].bytes) else { return nil }
        self.init(id: values[0].text, name: values[1].text, head: head)
    }

    static let kinds = [NameGiven.type]

    static func changes(by record: Record) -> [RowChange] {
        NameGiven.read(record).map { [PlayerRow(id: $0.account, name: $0.name, head: record.hash).change] } ?? []
    }

    /// Erases the name whose stream ended at this head. Anyone who has taken the name since keeps it, as does a player
    /// who has taken a new one, whichever came first.
    static func changes(by erasure: Erasure) -> [RowChange] {
        [.erase(from: table, by: "head", equal: [.bytes(erasure.head.bytes)])]
    }
}

extension ReadModelQuery<PlayerRow> {
    /// In the order of `ids`, without players that have no name.
    static func players(ids: [PlayerID]) -> Self {
        Self(walks: ids.map { RowQuery(PlayerRow.table, by: "id", equal: [.text($0)], limit: 1) })
    }
}
