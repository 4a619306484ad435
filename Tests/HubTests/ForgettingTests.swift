import Cryptography
import EventStore
import Games
import Records
import Testing

@testable import Hub
@testable import Rooms

@Suite("Names given up") struct ForgettingTests {
    private let operatorToken = ScriptedHub.operatorToken

    @Test("a name that is given up is free again, and its player only watches", arguments: [false, true])
    func forgotten(byOperator: Bool) throws {
        let table = Table()
        table.playOut()
        table.hub.pass(1_500)
        let answer = table.hub.request(
            "DELETE", byOperator ? "/api/players/b%45N" : "/api/players/me",
            token: byOperator ? operatorToken : table.ben.token, from: byOperator ? .operators : .at("192.0.2.1"))
        #expect(answer.status == 204 && answer.body.isEmpty)
        #expect(table.benPage.last("error")?["code"] == "unknown-token")
        #expect(table.benPage.last("welcome")?["you"]?.object?["player"] == nil)
        table.hub.pass(1)
        #expect(table.annPage.last("presence")?["names"]?.object?[table.ben.id] == .null)
        #expect(table.benPage.command("here")?["code"] == "no-name")
        #expect(table.hub.request("DELETE", "/api/players/me", token: table.ben.token).status == 401)
        let room = table.hub.request("GET", "/api/rooms/\(table.code)").fields
        #expect(room["names"]?.object?.names == [table.ann.id])
        let results = table.hub.request("GET", "/api/leaderboard").fields["results"]?.list
        #expect(results?.compactMap { $0.object?["name"]?.string } == ["Ann"])
        #expect(results?.count == 2)
        // Another player may have it now.
        let other = table.hub.register("BEN", ScriptedHub.token(of: "another"))
        #expect(other.status == 201 && other.fields["id"]?.string != table.ben.id)
    }

    @Test("a name that is given up right after it was registered does not come back")
    func forgottenAtOnce() {
        let hub = ScriptedHub()
        let host = hub.player("Hal")
        let code = hub.open(host)
        let ann = hub.player("Ann")
        hub.join(code, ann).command("sit")
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 204)
        // Long enough for all later writes.
        hub.pass(1_500)
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 401)
        #expect(hub.request("GET", "/api/rooms/\(code)").fields["names"]?.object?.names == [host.id])
        hub.crash(downtime: 1_000)
        #expect(hub.request("GET", "/api/rooms/\(code)").fields["names"]?.object?.names == [host.id])
    }

    @Test("a name whose erasure was a process's last action is gone after the next start")
    func forgottenAtTheEnd() {
        let hub = ScriptedHub()
        let (ann, ben) = (hub.player("Ann"), hub.player("Ben"))
        hub.pass(1_500)
        eraseBehindItsBack(hub, ann)
        hub.crash(downtime: 1_000)
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 401)
        #expect(hub.request("DELETE", "/api/players/me", token: ben.token).status == 204)
    }

    @Test("a room that woke by rows from before an erasure does not keep the name")
    func rowsBehind() {
        let hub = ScriptedHub()
        let (hal, ann) = (hub.player("Hal"), hub.player("Ann"))
        let code = hub.open(hal)
        hub.join(code, ann).command("sit")
        hub.pass(1_500)
        eraseBehindItsBack(hub, ann)
        // The reads of the outages and of all streams.
        hub.crash(downtime: 1_000, failedReadings: 2)
        let page = hub.join(code, hal)
        #expect(page.last("welcome")?["names"]?.object?.names.sorted() == [hal.id, ann.id].sorted())
        hub.pass(5_500)
        #expect(page.last("presence")?["names"]?.object?[ann.id] == .null)
        #expect(hub.request("GET", "/api/rooms/\(code)").fields["names"]?.object?.names == [hal.id])
    }

    @Test("a room does not keep a name that was given up while its account was unreadable", arguments: [1, 2])
    func unreadable(failedReadings: Int) {
        let table = Table()
        table.hub.pass(1_500)
        eraseBehindItsBack(table.hub, table.ben)
        table.hub.shard.handle(.accountChanged(table.ben.id))
        for _ in 0..<failedReadings { table.hub.log.putIn(.unreadable(.cannotRead(reason: "bad sector"))) }
        table.hub.settle()
        #expect(table.benPage.closed == .tryAgainLater)
        table.hub.pass(4_000)
        #expect(table.annPage.last("presence")?["names"]?.object?[table.ben.id] == .null)
        let room = table.hub.request("GET", "/api/rooms/\(table.code)").fields
        #expect(room["names"]?.object?.names == [table.ann.id])
    }

    @Test("a busy log makes no one leave, and a name that was given up disappears a second later")
    func busy() {
        let table = Table()
        table.hub.pass(1_500)
        eraseBehindItsBack(table.hub, table.ben)
        table.hub.shard.handle(.accountChanged(table.ben.id))
        table.hub.log.putIn(.unreadable(.busy(reason: "65536 calls are already waiting")))
        table.hub.settle()
        #expect(table.benPage.closed == nil)
        table.hub.pass(AccountChanges.pause)
        #expect(table.annPage.last("presence")?["names"]?.object?[table.ben.id] == .null)
    }

    @Test("an unreadable account is retried forever, less and less often")
    func staysUnreadable() {
        let table = Table()
        table.hub.pass(1_500)
        let stream = StreamName.account(table.ben.id)
        let event = Event(time: table.hub.now, type: "something-newer", shown: Array("{}".utf8))
        let commit = Commit(id: "newer", appending: [event], to: stream, expecting: table.hub.storage.end(of: stream))
        InMemoryLog(storage: table.hub.storage).append(commit, ticket: 1, answer: AppendAnswers())
        table.hub.shard.handle(.accountChanged(table.ben.id))
        var attempts: [Int] = []
        for second in 0..<330 {
            table.hub.pass(second == 0 ? 0 : 1_000)
            if second == 0 { table.benPage.leave() }
            if table.hub.logged.of(.error).count > attempts.count { attempts.append(second) }
        }
        #expect(attempts == [0, 1, 3, 7, 15, 31, 63, 127, 191, 255, 319])
    }

    @Test(
        "a player who has taken the name since keeps it, whatever the rows have seen",
        arguments: [(keepsRows: true, sameToken: false), (true, true), (false, false), (false, true)])
    func takenAgain(row: (keepsRows: Bool, sameToken: Bool)) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        hub.pass(1_500)
        // All of this is after the position of the rows.
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 204)
        let token = row.sameToken ? ann.token : ScriptedHub.token(of: "another")
        #expect(hub.register("Ann", token).status == 201)
        hub.crash(downtime: 1_000, keepsRows: row.keepsRows)
        #expect(hub.register("Ann", token).status == 200)
        hub.pass(1_500)
        let room = hub.request("POST", "/api/rooms", token: token, body: ["game": "memory"])
        #expect(room.status == 201)
    }

    @Test("an operator who forgets a name while it is given up does not forget its next owner", arguments: 0...3)
    func givenUpTwice(step: Int) throws {
        let hub = ScriptedHub(pace: .stepped)
        let ann = hub.player("Ann")
        var answers: [AccountDesk.Answer] = []
        let order = AccountDesk.Order(key: .name(folded: "ann"), command: .forget)
        hub.shard.accountDesk.ask(order) { answers.append($0) }
        for _ in 0..<step { hub.step() }
        guard step < 3 else {
            // It was done before.
            hub.settle()
            return #expect(answers == [.done(.gone)])
        }
        eraseBehindItsBack(hub, ann)
        let taker = try AccountCommand.NewDevice(tokenHash: SHA256.digest(of: "another").hex, label: "")
        let context = AccountContext(now: hub.now, random: SeededRandom(4))
        let registration = try AccountCommand.register(PlayerName("Ann"), taker).decide(on: nil, context)
        guard case .commit(let commit, .player(let id, _, _), _) = registration else {
            Issue.record("the name is free")
            return
        }
        InMemoryLog(storage: hub.storage).append(commit, ticket: 1, answer: AppendAnswers())
        hub.settle()
        // Until its name is looked up, the erasure means the present owner of the name.
        #expect(answers == [step == 0 ? .done(.gone) : .refused(.unknownToken)])
        #expect(hub.storage.records(of: .account(id)).isEmpty == (step == 0))
    }

    @Test(
        "the operator can give up any name, and learns if there is none",
        arguments: [
            ("Ann", "/api/players/Ann", 204), ("Ann", "/api/players/%20ANN%20", 204),
            ("a/b", "/api/players/a%2Fb", 204),
            ("me", "/api/players/me", 204), ("Å", "/api/players/A%CC%8A", 204), ("Ann", "/api/players/Ben", 404),
            ("Ann", "/api/players/", 404), ("Ann", "/api/players/me", 404),
        ])
    func operators(row: (name: String, target: String, status: Int)) {
        let hub = ScriptedHub()
        let player = hub.player(row.name)
        let answer = hub.request("DELETE", row.target, token: operatorToken, from: .operators)
        #expect(answer.status == row.status)
        #expect(answer.fields["code"]?.string == (row.status == 404 ? "no-such-player" : nil))
        let left = hub.request("DELETE", "/api/players/me", token: player.token).status
        #expect(left == (row.status == 404 ? 204 : 401))
    }

    @Test("no one else can give up a name by giving it", arguments: ["a player's token", "another token", "none"])
    func refused(bearing: String) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let token =
            switch bearing {
            case "none": String?.none
            case "another token": ScriptedHub.token(of: "nobody")
            default: ann.token
            }
        let answer = hub.request("DELETE", "/api/players/Ann", token: token, from: .operators)
        #expect(answer.status == 401 && answer.fields["code"]?.string == "unknown-token")
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 204)
    }

    @Test("elsewhere the operator's token has no player")
    func elsewhere() {
        let hub = ScriptedHub()
        _ = hub.player("Ann")
        #expect(hub.request("DELETE", "/api/players/Ann", token: operatorToken).status == 404)
        #expect(hub.request("DELETE", "/api/players/me", token: operatorToken).status == 401)
    }

    @Test(
        "the operator's port serves nothing else",
        arguments: [("GET", "/"), ("GET", "/main.js"), ("GET", "/room/abcdef"), ("GET", "/ws/lobby")])
    func door(row: (method: String, path: String)) {
        let hub = ScriptedHub()
        for token in [nil, operatorToken] {
            let answer = hub.request(row.method, row.path, token: token, body: ["name": "Bea"], from: .operators)
            #expect(answer.status == 404 || answer.status == 405)
        }
        for path in ["/metrics", "/healthz", "/readyz"] {
            #expect(hub.request("GET", path, from: .operators).status == 200)
        }
    }

    @Test(
        "a name can only be deleted",
        arguments: [("GET", "Ann"), ("POST", "Ann"), ("PUT", "me/x"), ("GET", "a/b")])
    func notAllowed(row: (method: String, name: String)) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let answer = hub.request(row.method, "/api/players/" + row.name, token: ann.token, from: .operators)
        #expect(answer.status == 405 && answer.headers["Allow"] == "DELETE")
        #expect(hub.request("DELETE", "/api/players/me").status == 401)
    }

    @Test("while the log takes no writes, a name and its player stay")
    func unavailable() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let page = hub.join(code, ann)
        hub.log.stopWrites(.cannotWrite(reason: "the disk is full"))
        #expect(hub.request("DELETE", "/api/players/me", token: ann.token).status == 503)
        #expect(hub.request("DELETE", "/api/players/Ann", token: operatorToken, from: .operators).status == 503)
        hub.log.resumeWrites()
        hub.settle()
        #expect(page.command("sit")?["type"] == "ok")
    }

    /// Erases the player in the log, without anyone being told.
    private func eraseBehindItsBack(_ hub: ScriptedHub, _ player: ScriptedPlayer) {
        guard let account = try? Account(hub.storage.records(of: .account(player.id))),
            let decision = try? AccountCommand.forget.decide(
                on: account, AccountContext(now: hub.now, random: SeededRandom(2))),
            case .commit(let commit, _, _) = decision
        else {
            Issue.record("there is no such player")
            return
        }
        InMemoryLog(storage: hub.storage).append(commit, ticket: 1, answer: AppendAnswers())
    }
}
