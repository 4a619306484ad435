import EventStore
import Records
import Testing

@testable import Hub

/// A room whose last two records are one commit: the game's start and the first turn.
@Suite("The check of a room") struct RoomCheckTests {
    private let table = Table()

    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// In an event of this type, these bytes are replaced.
        var type = ""
        var old = ""
        var new = ""
        var isCut = false
        let finds: String?
    }

    @Test(
        "a commit ends where its events say",
        arguments: [
            Damage(testDescription: "as it was written", finds: nil),
            Damage(
                testDescription: "nothing says that the turn follows", type: "game-started", old: #","more":true"#,
                finds: "turn: the event before it does not say where its commit ends"),
            Damage(
                testDescription: "a commit of one event says that more follow", type: "seat-taken",
                old: #""seat-taken""#, new: #""seat-taken","more":true"#,
                finds: "seat-taken: the event before it does not say where its commit ends"),
            Damage(
                testDescription: "the last event says that more follow", type: "turn", old: #""turn""#,
                new: #""turn","more":true"#, finds: "turn: the rest of its commit is missing"),
            Damage(
                testDescription: "the turn is cut off", isCut: true,
                finds: "game-started: the rest of its commit is missing"),
        ])
    func commits(damage: Damage) throws {
        let records = table.hub.storage.records(of: .room(table.code)).dropLast(damage.isCut ? 1 : 0)
        var (end, check) = (StreamName.room(table.code).start, RoomCheck(code: table.code, games: table.hub.games))
        var found: String?
        do throws(RoomCheck.Fault) {
            for record in records {
                let event = damaged(record.event, damage)
                end.advance(by: event)
                try check.checkRecord(
                    Record(
                        stream: record.stream, version: end.version, position: record.position, commit: record.commit,
                        event: event, hash: end.head))
            }
            try check.checkEnd()
        } catch { found = error.description }
        #expect(found == damage.finds)
    }

    private func damaged(_ event: Event, _ damage: Damage) -> Event {
        guard event.type == damage.type else { return event }
        let shown = String(decoding: event.shown, as: UTF8.self).replacing(damage.old, with: damage.new)
        return Event(time: event.time, type: event.type, shown: Array(shown.utf8), sealed: event.sealed)
    }
}
