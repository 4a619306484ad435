import Cryptography
import EventStore
import Games
import JSON
import Records
import Testing

@testable import Hub
@testable import RoomRules

@Suite("A room: play") struct RoomPlayTests {
    @Test("a whole game is the same for all, without gaps")
    func wholeGame() throws {
        let table = Table()
        table.playOut()
        #expect(table.state.phase == .ended)
        let all = table.hub.storage.records(of: .room(table.code))
        for page in [table.benPage, table.watcher] {
            let first = try #require(page.versions.first)
            #expect(page.versions == Array(first...all.count))
        }
        #expect(table.annPage.events.suffix(5) == table.watcher.events.suffix(5))
        let end = try #require(table.watcher.last("game-ended"))
        #expect(end["reason"] == "finished")
        let seed = try #require(end["reveal"]?.object?["seed"]?.string.flatMap { [UInt8](hex: $0) })
        #expect(SHA256.digest(of: seed).hex == table.watcher.last("welcome")?["room"]?.object?["commitment"]?.string)
    }

    @Test("a mismatch is turned back after the reveal, and the turn passes")
    func reveal() throws {
        let table = Table()
        let deck = table.deck
        let other = try #require(deck.indices.first { deck[$0] != deck[0] })
        let mover = table.mover
        mover.command("flip", ["cell": .integer(0)])
        mover.command("flip", ["cell": .integer(other)])
        #expect(mover.command("flip", ["cell": .integer(1)])?["code"] == "wait-for-reveal")
        table.hub.pass(999)
        #expect(table.watcher.last("hide-card") == nil)
        table.hub.pass(1)
        #expect(table.watcher.last("hide-card")?["cells"]?.integers?.sorted() == [0, other].sorted())
        #expect(table.watcher.last("turn")?["seat"]?.integer == 1)
    }

    @Test("welcome at every version is the fold of the public events up to it")
    func welcomeIsTheFold() throws {
        let table = Table()
        let deck = table.deck
        var checked = 0
        for turn in 0..<40 where table.state.phase == .running {
            table.mover.command("flip", ["cell": .integer((turn * 5 + turn / 3) % deck.count)])
            if turn.isMultiple(of: 3) { table.hub.pass(1_000) }
            let records = table.hub.storage.records(of: .room(table.code))
            var fold = RoomState(code: table.code, games: table.hub.games)
            for record in records { try fold.apply(record.withoutSecrets) }
            let welcome = try #require(table.hub.join(table.code).last("welcome"))
            #expect(welcome["version"]?.integer == records.count)
            #expect(welcome["room"]?.object == fold.roomView)
            #expect(welcome["view"]?.object == fold.gameView)
            #expect(welcome["head"]?.string == records.last?.hash.hex)
            checked += 1
        }
        #expect(checked >= 5)
    }

    @Test("a resume from every version brings exactly the missing events")
    func resumes() throws {
        let table = Table()
        table.playOut()
        let records = table.hub.storage.records(of: .room(table.code))
        for version in 0...records.count {
            let head = version == 0 ? StreamName.room(table.code).origin : records[version - 1].hash
            let page = table.hub.join(table.code, table.ann, after: version, head: head.hex)
            #expect(page.messages.first?["type"] == "resume")
            #expect(page.versions == Array((version + 1)..<(records.count + 1)))
        }
    }

    @Test("answers while the missing events are read come after them")
    func answersBehindEvents() throws {
        let hub = ScriptedHub(limits: .forManyCommands)
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let host = hub.join(code, ann)
        for turn in 0..<600 { host.command("options", ["options": .object(["turnTime": .integer(5 + turn % 2)])]) }
        let late = hub.connect(code)
        late.say(["type": "hello", "token": .string(ann.token), "after": 1], settling: false)
        late.command("sit", id: "sit", settling: false)
        hub.settle()
        #expect(late.messages.first?["type"] == "resume")
        #expect(late.versions == Array(2...602))
        #expect(late.messages.last?["type"] == "ok")
    }

    @Test("a resume brings at most 2,000 events, and beyond that there is a welcome")
    func longestResume() throws {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let host = hub.join(code, ann)
        let changes = (2...2_000).map { version in
            let more = version < 2_000 ? #","more":true"# : ""
            let fields =
                #""type":"visibility-changed"\#(more),"visibility":"\#(version % 2 == 0 ? "public" : "seeking")""#
            let shown = #"{"v":\#(version),"t":\#(hub.now),"# + fields + "}"
            return Event(time: hub.now, type: "visibility-changed", shown: Array(shown.utf8))
        }
        hub.log.append(
            Commit(id: "other/1", appending: changes, to: .room(code), expecting: hub.room(code).end), ticket: 0,
            answer: AppendAnswers())
        hub.settle()
        #expect(hub.join(code, ann, after: 0).messages.first?["type"] == "resume")
        let late = hub.connect(code)
        host.command("visibility", ["visibility": "unlisted"], settling: false)
        hub.step()
        late.say(["type": "hello", "token": .string(ann.token), "after": 0], settling: false)
        hub.settle()
        #expect(late.messages.first?["type"] == "welcome")
        #expect(late.messages.first?["version"] == 2_001)
    }

    @Test("a written command is done, even if the log fails before anyone knows")
    func writtenBeforeOutage() {
        let hub = ScriptedHub(pace: .stepped)
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let page = hub.join(code, ann)
        page.command("sit", id: "sit", settling: false)
        hub.log.putIn(.outcomeUnknown(written: true))
        hub.step()
        hub.log.stopWrites(.cannotWrite(reason: "disk full"))
        hub.settle()
        #expect(hub.storage.records(of: .room(code)).contains { $0.event.type == "seat-taken" })
        #expect(page.last("ok")?["id"] == "sit")
        #expect(page.last("error") == nil)
    }

    @Test("an option that was asked for can be taken back")
    func takenBack() throws {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let page = hub.join(hub.open(ann, ["columns": 4, "rows": 5, "rule": "hard"]), ann)
        let asked: Fields = ["preset": "memorize", "columns": .null, "rows": .null, "rule": .null]
        #expect(page.command("options", ["options": .object(asked)])?["type"] == "ok")
        let options = try #require(page.last("options-changed")?["options"]?.object)
        #expect(options["preset"] == "memorize")
        #expect(["columns", "rows", "rule"].allSatisfy { options[$0] == nil })
    }

    @Test("a wrong head or a missing version gets a welcome that says so")
    func diverged() {
        let table = Table()
        for page in [
            table.hub.join(table.code, table.ann, after: 2, head: String(repeating: "0", count: 64)),
            table.hub.join(table.code, table.ann, after: 999),
        ] {
            #expect(page.last("welcome")?["diverged"] == .bool(true))
        }
    }

    @Test("of 100 players who want one seat at once, one gets it")
    func oneSeat() {
        let hub = ScriptedHub(pace: .stepped)
        let host = hub.player("Hal")
        let code = hub.open(host)
        let pages = (0..<100).map { hub.join(code, hub.player("Player \($0)")) }
        for page in pages { page.command("sit", ["seat": .integer(3)], settling: false) }
        hub.settle()
        #expect(pages.count { $0.last("ok") != nil } == 1)
        #expect(pages.count { $0.last("error")?["code"] == "seat-taken" } == 99)
    }

    @Test("presence sends changes of players and spectators")
    func presence() {
        let table = Table()
        table.hub.pass(250)
        #expect(table.watcher.present.spectators == 1)
        table.watcher.clear()
        table.benPage.command("leave")
        table.hub.pass(250)
        #expect(table.watcher.present.spectators == 2)
        #expect(table.watcher.present.players == [table.ann.id, table.ben.id])
        table.benPage.leave()
        table.hub.pass(250)
        #expect(
            table.watcher.messages.filter { $0["type"] == "presence" } == [
                presence(went: [], spectators: 2), presence(went: [table.ben.id], spectators: 1),
            ])
        table.hub.pass(10_000)
        #expect(table.watcher.messages.count { $0["type"] == "presence" } == 2)
    }

    private func presence(went: [PlayerID], spectators: Int) -> Fields {
        [
            "type": "presence", "came": .list([]), "went": .strings(went), "spectators": .integer(spectators),
            "names": .object([:]),
        ]
    }

    @Test("a member who was behind also gets later changes of presence")
    func presenceOfSlow() {
        let table = Table()
        table.hub.pass(2_000)
        table.watcher.isStuck = true
        table.mover.command("flip", ["cell": 0])
        table.watcher.member?.fallBehind(now: table.hub.now)
        table.benPage.leave()
        table.hub.pass(2_000)
        table.watcher.isStuck = false
        table.hub.pass(2_000)
        #expect(table.watcher.messages.count { $0["type"] == "welcome" } == 2)
        #expect(table.watcher.present.players == [table.ann.id])
    }

    @Test("the name of a player who sits down is known at once")
    func nameAtOnce() {
        let table = Table()
        table.benPage.command("leave")
        table.hub.pass(1_000)
        // Presence has just been sent.
        _ = table.hub.join(table.code)
        let cat = table.hub.player("Cat")
        let page = table.hub.join(table.code, cat)
        #expect(table.watcher.present.names[cat.id] == nil)
        page.command("sit")
        table.hub.pass(1)
        #expect(table.watcher.present.names[cat.id] == cat.name)
    }

    @Test("a player who leaves a running game is out of it, and the last one ends it")
    func leaving() {
        let table = Table()
        table.annPage.command("leave")
        #expect(table.watcher.last("player-left")?["reason"] == "left")
        #expect(table.state.phase == .running)
        #expect(table.annPage.command("flip", ["cell": .integer(0)])?["code"] == "not-seated")
        table.benPage.command("leave")
        #expect(table.watcher.last("game-ended")?["reason"] == "left")
    }
}

extension Record {
    /// As anyone can download it.
    var withoutSecrets: Record {
        Record(
            stream: stream, version: version, position: position, commit: commit,
            event: Event(time: event.time, type: event.type, shown: event.shown), hash: hash)
    }
}
