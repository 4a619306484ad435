import Cryptography
import EventStore
import Games
import JSON
import Logging
import Records
import Testing
import Transport

@testable import Hub
@testable import RoomRules
@testable import Rooms

/// Ann and Ben at a game that makes a fault, and Cai at another table.
private struct Match {
    let hub = ScriptedHub(games: GameList.all + [Mischief.self])
    let code: String
    let ann: ScriptedClient
    let ben: ScriptedClient
    let other: ScriptedClient
    let otherCode: String

    init(_ fault: MischiefFault?, computer: Bool = false, nonce: [UInt8]? = nil, starts: Bool = true) {
        let players = ["Ann", "Ben", "Cai"].map { [hub] in hub.player($0) }
        code = hub.open(players[0], fault.map { ["fault": .string($0.rawValue)] } ?? [:], game: "mischief")
        otherCode = hub.open(players[2])
        (ann, ben) = (hub.join(code, players[0]), hub.join(code, players[1]))
        other = hub.join(otherCode, players[2])
        ann.command("sit", nonce.map { ["commitment": .string(SHA256.digest(of: $0).hex)] } ?? [:])
        if computer { ann.command("bot", ["seat": 1, "level": "only"]) } else { ben.command("sit") }
        other.command("sit")
        other.command("start")
        if starts { ann.command("start") }
    }

    var state: RoomState { hub.room(code) }
    var records: [Record] { hub.storage.records(of: .room(code)) }
    var types: [String] { records.map(\.event.type) }
    var end: Fields? { ben.last("game-ended") }
    var faults: [String] { hub.logged.of(.error) }

    /// What holds once a game has been ended by its fault.
    func expectEnded(at event: String?, _ fault: MischiefFault, games: Int = 1) throws {
        let end = try #require(end, "\(fault)")
        #expect(end["reason"] == "fault" && end["results"]?.list == [], "\(fault)")
        #expect(end["reveal"] != nil && end["commitment"] != nil, "\(fault)")
        let line = try #require(faults.first, "\(fault)")
        #expect(line.contains("room=\(code)") && line.contains("version="), "\(line)")
        if let event { #expect(line.contains("event=\(event)"), "\(line)") }
        #expect(faults.count == 1 && hub.metric("flipside_game_faults_total") == 1, "\(fault)")
        try expectSound(fault)
    }

    /// The room's log can be read and checked, the leaderboard has nothing of it, the next game can be played, and
    /// another table has noticed nothing.
    func expectSound(_ fault: MischiefFault) throws {
        let flips = other.events.count
        #expect(other.command("flip", ["cell": 0])?["type"] == "ok", "\(fault)")
        #expect(other.events.count == flips + 1, "\(fault)")
        if state.seats.isEmpty || state.seats[Seat(0)] == nil { ann.command("sit") }
        if state.seats.count < 2 { ben.command("sit") }
        #expect(ann.command("options", ["options": .object(["fault": .null])])?["type"] == "ok", "\(fault)")
        let begins = state.phase == .waiting ? "start" : "propose"
        #expect(ann.command(begins, ["what": "rematch"])?["type"] == "ok", "\(fault)")
        if state.proposal != nil { ben.answer(true) }
        // No one opens a nonce, so the next game is dealt without any.
        if state.phase == .dealing { hub.pass(Dealing.nonceTimeout) }
        #expect(state.phase == .running, "\(fault)")
        var check = RoomCheck(code: code, games: hub.games)
        for record in records { try check.checkRecord(record) }
        #expect(records.flatMap { ResultRow.rows(of: $0, in: code) }.isEmpty, "\(fault)")
        hub.crash(downtime: 1_000)
        hub.settle()
        let again = hub.join(code)
        #expect(again.last("welcome")?["room"]?.object?["status"] == "running", "\(fault)")
    }
}

@Suite("A game that misbehaves ends alone") struct GameFaultTests {
    private enum Ready: MischiefNames { static let events = ["stepped", "ready"] }

    @Test("a hub does not start with a game that does not fit")
    func serving() {
        var options = HubOptions(transport: TransportOptions(addresses: []), log: .sqlite(folder: "/dev/null/none"))
        options.games = GameList.all + [MischievousGame<Ready>.self]
        #expect(throws: GameCatalogError.reserved(.event, "ready", game: "mischief")) {
            try HubServer(options, logger: Logger(label: "test"))
        }
    }

    @Test("a deal without its seed, as in a log copied without sealed parts, ends the game")
    func seedIsMissing() throws {
        let table = Table()
        let records = table.hub.storage.records(of: .room(table.code))
        let open = records.map { Event(time: $0.event.time, type: $0.event.type, shown: $0.event.shown) }
        let hub = ScriptedHub()
        hub.witness.isOn = false
        let pages = [table.ann, table.ben].map { hub.player($0.name) }.map { player in { hub.join(table.code, player) }
        }
        let start = StreamName.room(table.code).start
        hub.log.append(
            Commit(id: "copied", appending: open, to: .room(table.code), expecting: start), ticket: 0,
            answer: AppendAnswers())
        let mover = pages.map { $0() }[try #require(table.state.awaited.first).rawValue]
        #expect(mover.command("flip", ["cell": 0])?["code"]?.string == "game-fault")
        #expect(mover.last("game-ended")?["reason"]?.string == "fault")
        #expect(hub.room(table.code).phase == .ended)
    }

    @Test(
        "a command's event that does not fit ends the game",
        arguments: [
            (.event, "stepped"), (.name, "ready"), (.field, "stepped"), (.number, "stepped"), (.act, "stepped"),
        ] as [(MischiefFault, String)])
    func commands(fault: MischiefFault, event: String) throws {
        let match = Match(fault)
        let version = match.state.version
        let answer = match.ann.command("step")
        if fault != .act {
            #expect(answer?["code"] == "game-fault" && answer?["version"]?.integer == version + 1)
            #expect(answer?["event"]?.string == event)
        }
        #expect(match.types.last == "game-ended" && match.state.phase == .ended)
        try match.expectEnded(at: event, fault)
    }

    @Test("if the log cannot take the end at once, it comes later, before anything else", arguments: [true, false])
    func endLater(written: Bool) throws {
        let match = Match(.event)
        match.hub.log.putIn(.outcomeUnknown(written: written))
        #expect(match.ann.command("step")?["code"] == "game-fault")
        try match.expectEnded(at: "stepped", .event)
        #expect(match.types.count { $0 == "game-ended" } == 1)
    }

    @Test("so does a player who keeps coming back")
    func back() throws {
        let match = Match(.back)
        match.ann.command("step")
        try match.expectEnded(at: "none", .back)
    }

    @Test(
        "so does an event that happens by itself",
        arguments: [(.wake, "stepped"), (.idle, "none"), (.again, "none")] as [(MischiefFault, String)])
    func clock(fault: MischiefFault, event: String) throws {
        let match = Match(fault)
        match.hub.pass(1_000)
        try match.expectEnded(at: event, fault)
    }

    @Test(
        "so does a player who leaves",
        arguments: [
            (.leave, "stepped"), (.results, "player-left"), (.figures, "player-left"), (.stranger, "player-left"),
        ] as [(MischiefFault, String)])
    func leaving(fault: MischiefFault, event: String) throws {
        let match = Match(fault)
        #expect(match.ann.command("leave")?["code"] == "game-fault")
        #expect(!match.types.contains("player-left"))
        try match.expectEnded(at: event, fault)
    }

    @Test("so does the game's own end", arguments: [.figures, .stranger] as [MischiefFault])
    func ends(fault: MischiefFault) throws {
        let match = Match(fault)
        for _ in 0..<Mischief.lastStep / 2 {
            match.ann.command("step")
            match.ben.command("step")
        }
        #expect(match.ben.messages.last { $0["id"] != nil }?["code"] == "game-fault")
        try match.expectEnded(at: "game-ended", fault)
    }

    @Test(
        "so does closing the room, which can then be closed",
        arguments: [.figures, .stranger] as [MischiefFault])
    func closing(fault: MischiefFault) {
        let match = Match(fault)
        #expect(match.ann.command("close")?["code"] == "game-fault")
        #expect(match.end?["reason"] == "fault")
        #expect(match.ann.command("close")?["type"] == "ok")
        #expect(match.types.suffix(2) == ["game-ended", "room-closed"])
    }

    @Test("a game that cannot begin is not started", arguments: [.setup, .deal, .opening] as [MischiefFault])
    func start(fault: MischiefFault) throws {
        let match = Match(fault, starts: false)
        let version = match.state.version
        #expect(match.ann.command("start")?["code"] == "game-fault")
        #expect(match.state.phase == .waiting && match.state.version == version)
        #expect(match.faults.count == 1 && match.hub.metric("flipside_game_faults_total") == 1)
        try match.expectSound(fault)
    }

    @Test(
        "a game that cannot begin once the nonces are there ends",
        arguments: [.setup, .deal, .opening] as [MischiefFault], [true, false])
    func dealing(fault: MischiefFault, isOpened: Bool) throws {
        let nonce = [UInt8](repeating: 7, count: 16)
        let match = Match(fault, nonce: nonce)
        #expect(match.types.last == "dealing" && match.state.phase == .dealing)
        if isOpened {
            #expect(match.ann.command("ready", ["nonce": .string(nonce.hex)])?["code"] == "game-fault")
        } else {
            match.hub.pass(Dealing.nonceTimeout)
        }
        #expect(match.types.last == "game-ended" && match.state.phase == .waiting)
        #expect(match.state.roomView["dealing"] == nil && match.state.gameNumber == 1)
        #expect(match.end?["reveal"]?.object?["nonces"]?.list?.isEmpty == true)
        try match.expectSound(fault)
    }

    @Test("a deadline later than any time does no harm")
    func forever() {
        let match = Match(.forever)
        match.hub.pass(100_000)
        match.hub.crash(downtime: 1_000)
        let ann = match.hub.join(match.code, match.hub.player("Ann"))
        #expect(ann.command("step")?["type"] == "ok")
        #expect(match.state.phase == .running && match.faults.isEmpty)
    }

    @Test("a game without a fault is played to its end, and its results stand")
    func none() throws {
        let match = Match(nil)
        for _ in 0..<Mischief.lastStep / 2 {
            match.ann.command("step")
            match.ben.command("step")
        }
        #expect(match.end?["reason"] == "finished" && match.faults.isEmpty)
        #expect(match.records.flatMap { ResultRow.rows(of: $0, in: match.code) }.count == 2)
    }
}

@Suite("A computer player that misbehaves") struct ComputerFaultTests {
    private func match(_ fault: MischiefFault?) -> Match {
        let match = Match(fault, computer: true)
        match.ann.command("step")
        match.hub.pass(HubLimits().thinkTime)
        return match
    }

    @Test(
        "is asked again, and then replaced by a legal command",
        arguments: [(.refused, 2), (.silent, 2), (.refusedOnce, 1), (nil, 0)] as [(MischiefFault?, Int)])
    func isReplaced(fault: MischiefFault?, failures: Int) throws {
        let match = match(fault)
        #expect(match.state.gameView?["steps"]?.integers == [0, 1], "the game goes on")
        let lines = match.hub.logged.of(.warning)
        #expect(lines.count == failures && match.hub.metric("flipside_computer_failures_total") == failures)
        for line in lines {
            #expect(line.contains("room=\(match.code)") && line.contains("seat=1") && line.contains("level=only"))
            #expect(line.contains(fault == .silent ? "command=none" : "command=step"))
            #expect(fault == .silent || line.contains("code=bad-step"))
        }
        #expect(match.faults.isEmpty)
    }

    @Test("without a legal command ends the game by its fault", arguments: [.stuck, .illegal] as [MischiefFault])
    func ends(fault: MischiefFault) throws {
        let match = match(fault)
        try match.expectEnded(at: nil, fault)
    }
}
