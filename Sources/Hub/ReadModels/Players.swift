import Cryptography
import EventStore
import Games

/// A player that has a name.
struct PlayerRow: Equatable {
    let id: PlayerID
    let name: String
    /// The name as names are compared; its stream is `player/<folded>`.
    let folded: String
    /// SHA-256 of the player's token, in hex.
    let tokenHash: String
    /// The head of the player's stream: by this an erasure knows the row.
    let head: Digest
}

extension PlayerRow: ReadModelRow {
    static let table = RowTable(
        "players",
        columns: [.text("folded"), .text("id"), .text("name"), .text("tokenHash"), .bytes("head")],
        key: ["folded"],
        indexes: [RowIndex("id", ["id"]), RowIndex("token", ["tokenHash"]), RowIndex("head", ["head"])])

    var values: [RowValue] { [.text(folded), .text(id), .text(name), .text(tokenHash), .bytes(head.bytes)] }

    init?(_ values: [RowValue]) {
        // A row whose head is none is damaged: nobody bears it.
        guard let head = Digest(bytes: values[4].bytes) else { return nil }
        self.init(
            id: values[1].text, name: values[2].text, folded: values[0].text, tokenHash: values[3].text, head: head)
    }

    static func changes(by record: Record) -> [RowChange] { PlayerRow(record).map { [$0.change] } ?? [] }

    static func changes(by erasure: Erasure) -> [RowChange] { [erased(head: erasure.head)] }

    /// The player whose stream ended at this head was forgotten; whoever bears the name since then stays.
    static func erased(head: Digest) -> RowChange { .delete(from: table, by: "head", equal: [.bytes(head.bytes)]) }
}

extension ReadModelQuery<PlayerRow> {
    /// In the order asked; ids that nobody bears are left out.
    static func players(ids: [PlayerID]) -> Self {
        Self(walks: ids.map { RowQuery(PlayerRow.table, by: "id", equal: [.text($0)], limit: 1) })
    }
}

extension ReadModels {
    /// Who has the token with this hash; nil: nobody.
    func player(tokenHash: String, then: @escaping (Result<PlayerRow?, EventLogError>) -> Void) {
        let query = RowQuery(PlayerRow.table, by: "token", equal: [.text(tokenHash)], limit: 1)
        find(ReadModelQuery<PlayerRow>(walks: [query])) { found in then(found.map(\.first)) }
    }
}
