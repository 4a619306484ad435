import Cryptography
import EventStore
import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules

/// Two players who put nonces into the draw, and one who does not.
private struct DealingTable {
    let hub = ScriptedHub()
    let code: String
    let pages: [ScriptedClient]
    let players: [ScriptedPlayer]
    let nonces = (0..<3).map { seat in Array(SHA256.digest(of: "nonce \(seat)").bytes.prefix(16)) }

    init() {
        players = ["Ann", "Ben", "Cai"].map { [hub] in hub.player($0) }
        code = hub.open(players[0], ["columns": 2, "rows": 3, "theme": "numbers"])
        pages = players.map { [hub, code] in hub.join(code, $0) }
        for seat in 0..<2 { pages[seat].command("sit", ["commitment": .string(commitment(seat))]) }
        pages[2].command("sit")
    }

    var state: RoomState { hub.room(code) }
    var types: [String] { hub.storage.records(of: .room(code)).map(\.event.type) }

    func commitment(_ seat: Int) -> String { SHA256.digest(of: nonces[seat]).hex }

    @discardableResult
    func ready(_ seat: Int, nonce: [UInt8]? = nil) -> Fields? {
        pages[seat].command("ready", ["nonce": .string((nonce ?? nonces[seat]).hex)])
    }
}

@Suite("A room: dealing with the players' nonces") struct RoomDealingTests {
    @Test("the room waits for all promised nonces, and the deck follows from them")
    func dealing() throws {
        let table = DealingTable()
        table.pages[0].command("start")
        #expect(table.types.last == "dealing")
        let dealing = try #require(table.pages[2].last("dealing"))
        #expect(dealing["awaited"]?.integers == [0, 1])
        table.ready(0)
        #expect(table.state.phase == .dealing)
        table.ready(1)
        #expect(table.types.suffix(4) == ["ready", "ready", "game-started", "turn"])
        let start = try #require(table.state.lastStart)
        #expect(start.players.map { $0.nonce?.bytes } == [table.nonces[0], table.nonces[1], nil])
        let seed = try #require(table.state.seed?.bytes)
        let expected = SHA256.digest(
            of: Array("flipside/deck/1".utf8) + seed + [0] + table.nonces[0] + [1] + table.nonces[1])
        #expect(table.state.seedOfNewestGame == expected)
    }

    @Test("the reveal at the end opens the server's seed and the nonces")
    func reveal() throws {
        let table = DealingTable()
        table.pages[0].command("start")
        table.ready(0)
        table.ready(1)
        for page in table.pages { page.command("leave") }
        let reveal = try #require(table.pages[2].last("game-ended")?["reveal"]?.object)
        let nonces = reveal["nonces"]?.list?.compactMap { $0.object?["nonce"]?.string }
        #expect(nonces == [table.nonces[0].hex, table.nonces[1].hex])
    }

    @Test("the room waits ten seconds for a player who does not open, and does without")
    func silent() {
        let table = DealingTable()
        table.pages[0].command("start")
        table.ready(0)
        table.hub.pass(9_999)
        #expect(table.state.phase == .dealing)
        table.hub.pass(1)
        #expect(table.state.phase == .running)
        #expect(table.state.lastStart?.players.map { $0.nonce != nil } == [true, false, false])
        #expect(table.state.lastStart?.players.map { $0.commitment != nil } == [true, true, false])
    }

    @Test("the room does not wait for disconnected players")
    func gone() {
        let table = DealingTable()
        table.pages[1].leave()
        table.pages[0].command("start")
        #expect(table.pages[0].last("dealing")?["awaited"]?.integers == [0])
        table.ready(0)
        #expect(table.state.phase == .running)
    }

    @Test("a commitment is replaced by sitting down again, or by one in ready")
    func replacing() {
        let table = DealingTable()
        let other = [UInt8](repeating: 7, count: 16)
        table.pages[0].command("sit", ["commitment": .string(SHA256.digest(of: other).hex)])
        #expect(table.types.last == "seat-taken")
        table.pages[0].command("start")
        #expect(table.ready(0)?["code"] == "wrong-nonce")
        table.pages[0].command(
            "ready", ["nonce": .string(other.hex), "commitment": .string(table.commitment(0))])
        #expect(table.state.commitments[Seat(0)]?.hex == table.commitment(0))
        table.ready(1)
        // Opened and not replaced, so there is no commitment for the next game.
        #expect(table.state.commitments[Seat(1)] == nil)
    }

    @Test("a game that is being dealt cannot be changed, and players leave right after it")
    func frozen() {
        let table = DealingTable()
        table.pages[0].command("start")
        #expect(table.pages[0].command("start")?["code"] == "dealing")
        #expect(table.pages[0].command("options", ["options": .object(["turnTime": 5])])?["code"] == "dealing")
        #expect(table.hub.join(table.code, table.hub.player("Dia")).command("sit")?["code"] == "dealing")
        #expect(table.pages[2].command("leave") == nil)
        table.ready(0)
        table.ready(1)
        #expect(table.types.suffix(3) == ["game-started", "turn", "player-left"])
        #expect(table.pages[2].last("ok")?["v"]?.integer == table.state.version)
    }

    @Test(
        "is refused while the game is dealt",
        arguments: [
            (2, "00112233445566778899aabbccddeeff", "not-awaited"),
            (0, "00112233445566778899aabbccddeeff", "wrong-nonce"),
            (0, "0011", "bad-field"), (0, "zz", "bad-field"),
        ])
    func refused(_ seat: Int, _ nonce: String, _ code: String) {
        let table = DealingTable()
        table.pages[0].command("start")
        #expect(table.pages[seat].command("ready", ["nonce": .string(nonce)])?["code"]?.string == code)
        #expect(table.state.phase == .dealing)
    }

    @Test("a nonce is refused if no game is being dealt")
    func notDealing() {
        let table = DealingTable()
        #expect(table.ready(0)?["code"] == "not-dealing")
    }

    @Test("dealing continues after the hub was killed, with the time that was left")
    func crash() {
        let table = DealingTable()
        table.pages[0].command("start")
        table.ready(0)
        table.hub.pass(4_000)
        table.hub.crash(downtime: 60_000)
        let page = table.hub.join(table.code, table.players[1])
        #expect(page.last("welcome")?["room"]?.object?["status"] == "dealing")
        table.hub.pass(5_900)
        #expect(table.state.phase == .dealing)
        table.hub.pass(200)
        #expect(table.state.phase == .running)
        #expect(table.state.lastStart?.players.first?.nonce?.bytes == table.nonces[0])
    }
}
