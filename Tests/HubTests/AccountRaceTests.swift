import Cryptography
import EventStore
import Games
import JSON
import Records
import Testing

@testable import Hub
@testable import Rooms

/// Every order in which two requests can meet: the second comes so many turns of the hub after the first.
@Suite("Accounts: requests at the same time") struct AccountRaceTests {
    private static let delays = Array(0...8)

    /// The answers to two requests, the second of which comes `delay` turns later.
    private func race(
        _ hub: ScriptedHub, _ delay: Int, _ first: () -> ScriptedResponse, _ second: () -> ScriptedResponse
    ) -> [ScriptedResponse] {
        let one = first()
        for _ in 0..<delay { hub.step() }
        let other = second()
        hub.settle()
        return [one, other]
    }

    @Test("of two devices with one code one is added", arguments: delays)
    func oneCode(delay: Int) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let code = hub.code("link-code", of: ann)
        let add = { hub.addDevice($0, by: code, settling: false) }
        let answers = race(hub, delay, { add("a") }, { add("b") })
        #expect(answers.map(\.status) == [201, 404])
        #expect(hub.request("GET", "/api/players/me", token: ann.token).fields["devices"]?.list?.count == 2)
    }

    @Test("of two players who want one name one gets it", arguments: delays, [true, false])
    func oneName(delay: Int, isRenamed: Bool) {
        let hub = ScriptedHub()
        let (ann, ben) = (hub.player("Ann"), hub.player("Ben"))
        let answers = race(hub, delay) {
            hub.rename(ann, "Cleo", settling: false)
        } _: {
            if isRenamed { return hub.rename(ben, "CLEO", settling: false) }
            return hub.register("CLEO", ScriptedHub.token(of: "other"), settling: false)
        }
        #expect(answers.map(\.status) == [200, 409] && answers[1].fields["code"] == "name-taken")
    }

    @Test("of two registrations of one name one succeeds", arguments: delays)
    func twoRegistrations(delay: Int) {
        let hub = ScriptedHub()
        let register = { hub.register("Ann", ScriptedHub.token(of: $0), settling: false) }
        let answers = race(hub, delay, { register("a") }, { register("b") })
        #expect(answers.map(\.status) == [201, 409])
        #expect(hub.storage.records.count { $0.stream.text.hasPrefix("account/") } == 3)
    }

    @Test("a rename at the same time as an erasure leaves nothing of either name", arguments: delays, [true, false])
    func renameAgainstForgetting(delay: Int, isRenamedFirst: Bool) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let rename = { hub.rename(ann, "Bea", settling: false) }
        let forget = { hub.forget(ann, settling: false) }
        let answers = race(hub, delay, isRenamedFirst ? rename : forget, isRenamedFirst ? forget : rename)
        #expect(answers.map(\.status) == (isRenamedFirst ? [200, 204] : [204, 401]))
        #expect(!hub.storage.records.contains { $0.stream != .hub })
        for name in ["Ann", "Bea"] { #expect(!hub.player(name).id.isEmpty) }
    }

    @Test(
        "a device that is revoked while it says hello only watches, in either order", arguments: delays, [true, false])
    func revokedAtHello(delay: Int, isRevokedFirst: Bool) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let phone = hub.linked(ann, "Phone")
        let (device, page) = (hub.device(of: phone), hub.connect(hub.open(ann)))
        let hello = { page.say(["type": "hello", "token": .string(phone.token)], settling: false) }
        if !isRevokedFirst {
            hello()
            for _ in 0..<delay { hub.step() }
        }
        let answer = hub.revoke(device, by: ann, settling: false)
        if isRevokedFirst {
            for _ in 0..<delay { hub.step() }
            hello()
        }
        hub.settle()
        #expect(answer.status == 204)
        #expect(page.last("welcome")?["you"]?.object?["player"] == nil)
        #expect(page.last("error")?["code"] == "unknown-token")
        #expect(page.command("sit")?["code"] == "no-name")
    }

    @Test("a hello with another token is never answered by the result of the one before", arguments: delays)
    func helloAsAnother(delay: Int) {
        let hub = ScriptedHub()
        let (ann, ben) = (hub.player("Ann"), hub.player("Ben"))
        let phone = hub.linked(ann, "Phone")
        let (device, page) = (hub.device(of: phone), hub.join(hub.open(ann), phone))
        _ = hub.revoke(device, by: ann, settling: false)
        for _ in 0..<delay { hub.step() }
        page.clear()
        page.say(["type": "hello", "token": .string(ben.token)], settling: false)
        hub.settle()
        #expect(page.last("error") == nil)
        #expect(page.last("welcome")?["you"]?.object?["player"] == .string(ben.id))
    }

    @Test("an account that has changed since it was read is read again", arguments: [true, false])
    func staleReading(isTold: Bool) throws {
        let hub = ScriptedHub(pace: .stepped)
        let ann = hub.player("Ann")
        let reader = AccountReader(hub.shard.surroundings)
        let hash = try #require(PlayerToken(ann.token)).hash
        var found: [String?] = []
        reader.find(.token(hash: hash)) { found.append((try? $0.get())?.name) }
        hub.step()
        // Read, but not delivered.
        hub.log.step()
        let account = try #require(try Account(hub.storage.records(of: .account(ann.id))))
        let context = AccountContext(now: hub.now, random: SeededRandom(5))
        guard case .commit(let commit, _, _) = try AccountCommand.forget.decide(on: account, context) else {
            Issue.record("an account can be forgotten")
            return
        }
        InMemoryLog(storage: hub.storage).append(commit, ticket: 1, answer: AppendAnswers())
        if isTold { reader.accountChanged(ann.id) }
        hub.settle()
        #expect(found == [isTold ? nil : "Ann"])
    }

    @Test("an account that others change at every attempt is busy after the last one", arguments: [2, 3])
    func busy(overtaken: Int) throws {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let stream = StreamName.account(ann.id)
        var end = hub.storage.end(of: stream)
        for number in 0..<overtaken {
            let event = AccountEvent.recoveryCodeMade(hash: "\(number)", device: "").event(at: hub.now)
            hub.log.putIn(.overtaken(by: Commit(id: "other/\(number)", appending: [event], to: stream, expecting: end)))
            end.advance(by: event)
        }
        let answer = hub.rename(ann, "Bea")
        #expect(answer.status == (overtaken < AccountDesk.attemptLimit ? 200 : 503))
        if answer.status == 503 { #expect(answer.fields["code"] == "busy") }
        #expect(hub.rename(ann, "Cleo").status == 200)
    }

    @Test("if the outcome is unknown, the repeated request tells it", arguments: [true, false])
    func outcomeUnknown(isWritten: Bool) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let phone = hub.linked(ann, "Phone")
        let page = hub.join(hub.open(ann), phone)
        let device = hub.device(of: phone)
        hub.log.putIn(.outcomeUnknown(written: isWritten))
        #expect(hub.revoke(device, by: ann).status == 503)
        #expect(page.command("sit")?["type"] == (isWritten ? "error" : "ok"))
        #expect(hub.revoke(device, by: ann).status == (isWritten ? 404 : 204))
    }
}

@Suite("Accounts in rooms") struct AccountRoomTests {
    @Test("all see a new name at once, also of players who are not connected")
    func renamed() {
        let table = Table()
        table.playOut()
        for isConnected in [true, false] {
            if !isConnected { table.benPage.leave() }
            let name = isConnected ? "Bea" : "Cleo"
            table.annPage.clear()
            #expect(table.hub.rename(table.ben, name).status == 200)
            // No time passes: what is due now is sent.
            table.hub.pass(0)
            let presence = table.annPage.last("presence")
            #expect(presence?["names"]?.object?[table.ben.id] == .string(name))
            #expect(table.annPage.present.players.contains(table.ben.id) == isConnected)
            // Later members get it from the rows, also after a start.
            #expect(table.hub.join(table.code).last("welcome")?["names"]?.object?[table.ben.id] == .string(name))
        }
        table.hub.pass(1_500)
        let results = table.hub.request("GET", "/api/leaderboard").fields["results"]?.list?.compactMap(\.object)
        #expect(results?.first { $0["player"] == .string(table.ben.id) }?["name"] == "Cleo")
        table.hub.crash(downtime: 1_000)
        #expect(table.hub.join(table.code).last("welcome")?["names"]?.object?[table.ben.id] == "Cleo")
    }

    @Test("a revoked device only watches, while the player's others play on in the same seat")
    func revoked() {
        let table = Table()
        let phone = table.hub.linked(table.ben, "Phone")
        let phonePage = table.hub.join(table.code, phone)
        #expect(phonePage.last("welcome")?["you"]?.object?["seat"] == 1)
        phonePage.clear()
        table.benPage.clear()
        #expect(table.hub.revoke(table.hub.device(of: phone), by: table.ben).status == 204)
        #expect(phonePage.messages.prefix(2).map { $0["type"] } == ["error", "welcome"])
        #expect(phonePage.last("error")?["code"] == "unknown-token")
        #expect(phonePage.last("welcome")?["you"]?.object?["player"] == nil)
        #expect(table.benPage.last("welcome") == nil && table.benPage.last("error") == nil)
        #expect(table.benPage.command("here")?["type"] == "ok")
    }

    @Test("a sleeping device also learns of its revocation when its page resumes")
    func revokedWhileResuming() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let phone = hub.linked(ann, "Phone")
        let code = hub.open(ann)
        let page = hub.join(code, phone)
        #expect(hub.revoke(hub.device(of: phone), by: ann).status == 204)
        page.clear()
        page.say(["type": "hello", "token": .string(phone.token), "after": 1])
        #expect(page.messages.first?["code"] == "unknown-token")
        #expect(page.last("resume")?["you"]?.object?["player"] == nil)
    }

    @Test("a device that is revoked while it waits for its room only watches there")
    func revokedWhileWaiting() {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let phone = hub.linked(ann, "Phone")
        let code = hub.open(ann)
        hub.pass(120_000)
        hub.log.putIn(.unreadable(.cannotRead(reason: "bad sector")))
        let page = hub.connect(code)
        page.say(["type": "hello", "token": .string(phone.token)])
        #expect(page.messages.isEmpty && page.closed == nil)
        #expect(hub.revoke(hub.device(of: phone), by: ann).status == 204)
        hub.pass(60_000)
        #expect(page.messages.prefix(2).map { $0["type"] } == ["error", "welcome"])
        #expect(page.last("welcome")?["you"]?.object?["player"] == nil)
    }

    @Test("if an account cannot be read, its connections end and try again")
    func unreadable() {
        let table = Table()
        table.hub.shard.handle(.accountChanged(table.ben.id))
        table.hub.log.putIn(.unreadable(.cannotRead(reason: "bad sector")))
        table.hub.settle()
        #expect(table.benPage.closed == .tryAgainLater)
        #expect(table.annPage.closed == nil)
    }

    @Test(
        "an account or token with an unknown record is not taken for an unused one",
        arguments: [true, false])
    func unknownRecord(isAccount: Bool) {
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let code = hub.open(ann)
        let other = ScriptedPlayer(name: "", id: "", token: ScriptedHub.token(of: "other"))
        let stream = isAccount ? StreamName.account(ann.id) : .token(PlayerToken(other.token)?.hash ?? "")
        let event = Event(time: hub.now, type: "something-newer", shown: Array("{}".utf8))
        let commit = Commit(id: "newer", appending: [event], to: stream, expecting: hub.storage.end(of: stream))
        InMemoryLog(storage: hub.storage).append(commit, ticket: 1, answer: AppendAnswers())
        let player = isAccount ? ann : other
        #expect(hub.request("GET", "/api/players/me", token: player.token).status == 503)
        #expect(hub.rename(player, "Bea").status == 503)
        #expect(hub.join(code, player).closed == .tryAgainLater)
        let lines = hub.logged.of(.error)
        #expect(lines.count == 3 && lines.allSatisfy { $0.contains(isAccount ? ann.id : "token/…") })
        #expect(lines.allSatisfy { $0.contains("version") && !$0.contains(PlayerToken(other.token)?.hash ?? "") })
    }
}
