import Cryptography
import Games
import JSON
import Records
import Testing

@testable import Hub
@testable import RoomRules

@Suite("A room: what a game has sealed") struct SealTests {
    /// A game of Goofspiel with four cards to its end: seat 0 bids its cards upwards, seat 1 downwards.
    private let table: Table = {
        let table = Table(["cards": 4, "seats": 2, "turnTime": 600], game: "goofspiel")
        for card in 1...4 {
            table.annPage.command("bid", ["card": .integer(card)])
            table.benPage.command("bid", ["card": .integer(5 - card)])
        }
        return table
    }()

    private var records: [Record] { table.hub.storage.records(of: .room(table.code)) }

    @Test("is opened when the game ends, and is what was shown")
    func opened() throws {
        let end = try #require(table.watcher.last("game-ended"))
        let seals = try #require(end["reveal"]?.object?["seals"]?.list)
        let bids = table.watcher.events.filter { $0["type"] == "bid-sealed" }
        #expect(seals.count == 8 && bids.count == 8)
        var cards: [Value] = []
        for (seal, bid) in zip(seals, bids) {
            let bytes = try #require(seal.object?["sealed"]?.string.flatMap { [UInt8](hex: $0) })
            #expect(seal.object?["v"] == bid["v"] && bid["seal"]?.string == SHA256.digest(of: bytes).hex)
            cards.append(try JSONReader.read(Array(bytes.dropFirst(SealedFields.saltSize))).object?["card"] ?? .null)
        }
        #expect(cards == [1, 4, 2, 3, 3, 2, 4, 1])
        #expect(Set(bids.compactMap { $0["seal"]?.string }).count == 8, "equal bids have different seals")
    }

    @Test("is kept over a crash, and shown to its own player only")
    func crash() {
        let table = Table(["cards": 4, "seats": 2, "turnTime": 600], game: "goofspiel")
        table.annPage.command("bid", ["card": 3])
        table.hub.crash(downtime: 1_000)
        let (ann, ben) = (table.hub.join(table.code, table.ann), table.hub.join(table.code, table.ben))
        #expect(ann.last("hand")?["hand"]?.object?["bid"] == 3 && ben.last("hand")?["hand"]?.object?["bid"] == nil)
        #expect(ben.command("bid", ["card": 1], id: "another")?["type"] == "ok")
        #expect(ben.last("bids-shown")?["bids"]?.list?.first?.object?["card"] == 3)
    }

    @Test("of a game that is dealt again is opened, too")
    func restart() {
        let table = Table(["cards": 4, "seats": 2, "turnTime": 600], game: "goofspiel")
        table.annPage.command("bid", ["card": 3])
        table.annPage.command("propose", ["what": "restart"])
        table.benPage.answer(true)
        let end = table.watcher.last("game-ended")
        #expect(end?["reason"] == "restart" && end?["reveal"]?.object?["seals"]?.list?.count == 1)
        table.annPage.command("bid", ["card": 2])
        #expect(table.watcher.last("bid-sealed") != nil)
        table.annPage.command("close")
        #expect(table.watcher.last("game-ended")?["reveal"]?.object?["seals"]?.list?.count == 1)
        #expect(check(table.hub.storage.records(of: .room(table.code)), of: table) == nil)
    }

    /// What a check of such a log says; nil if nothing is wrong.
    private func check(_ records: [Record], of table: Table, _ change: (inout Event) -> Void = { _ in }) -> String? {
        var (end, check) = (StreamName.room(table.code).start, RoomCheck(code: table.code, games: table.hub.games))
        do throws(RoomCheck.Fault) {
            for record in records {
                var event = record.event
                change(&event)
                end.advance(by: event)
                try check.checkRecord(
                    Record(
                        stream: record.stream, version: end.version, position: record.position, commit: record.commit,
                        event: event, hash: end.head))
            }
            try check.checkEnd()
            return nil
        } catch { return error.description }
    }

    private func changed(_ event: Event, _ old: String, _ new: String, sealed: [UInt8]?) -> Event {
        let shown = String(decoding: event.shown, as: UTF8.self).replacing(old, with: new)
        return Event(time: event.time, type: event.type, shown: Array(shown.utf8), sealed: sealed)
    }

    @Test("is checked with the log")
    func checked() throws {
        #expect(check(records, of: table) == nil)
        // Another bid is sealed than was shown.
        let first = try #require(records.first { $0.event.type == "bid-sealed" })
        let other = SealedFields.known(["card": 2], salt: [UInt8](repeating: 7, count: SealedFields.saltSize))
        let old = try #require(EventCoding.shownFields(first)?["seal"]?.string)
        let otherBid = check(records, of: table) { event in
            guard event.shown == first.event.shown else { return }
            event = changed(event, old, other.digest.hex, sealed: other.bytes)
        }
        #expect(otherBid?.contains("bids-shown") == true, "\(otherBid ?? "nothing")")
        // A bid without a seal, one whose bytes are others, and one whose JSON is written differently.
        let noSeal = check(records, of: table) { event in
            guard event.type == "bid-sealed" else { return }
            let shown = String(decoding: event.shown, as: UTF8.self).replacing(/,"seal":"[0-9a-f]*"/, with: "")
            event = Event(time: event.time, type: event.type, shown: Array(shown.utf8))
        }
        #expect(noSeal?.contains("bid-sealed") == true, "\(noSeal ?? "nothing")")
        let otherBytes = check(records, of: table) { event in
            guard event.type == "bid-sealed" else { return }
            event = Event(time: event.time, type: event.type, shown: event.shown, sealed: other.bytes)
        }
        #expect(otherBytes?.contains("bid-sealed") == true, "\(otherBytes ?? "nothing")")
        #expect(SealedFields(bytes: [UInt8](repeating: 7, count: 32) + Array(#"{"card": 7}"#.utf8)) == nil)
        #expect(SealedFields(bytes: [UInt8](repeating: 7, count: 32)) == nil)
    }

    @Test("must be what the end of the game opens", arguments: ["other", "missing", "unreadable", "none"])
    func unsealed(how: String) throws {
        let end = try #require(records.last { $0.event.type == "game-ended" })
        let text = String(decoding: end.event.shown, as: UTF8.self)
        let seals = String(try #require(text.firstMatch(of: /,"seals":\[.*?\]/)).output)
        let found = check(records, of: table) { event in
            guard event.type == "game-ended" else { return }
            let new: String =
                switch how {
                case "other": seals.replacing("7b2263617264223a317d", with: "7b2263617264223a327d")
                case "missing": #","seals":[]"#
                case "unreadable": seals.replacing("7b2263617264223a317d", with: "7b")
                default: ""
                }
            event = changed(event, seals, new, sealed: event.sealed)
        }
        #expect(found?.hasPrefix("game-ended: ") == true, "\(found ?? "nothing")")
    }
}
