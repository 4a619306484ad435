import Games
import JSON
import Testing

@testable import Hub
@testable import RoomRules

@Suite("Proposals: a restart") struct RestartTests {
    @Test("if all who are asked agree, the same commit deals again, and the same player begins")
    func agreed() throws {
        let party = Party(["Ann", "Ben", "Cy"])
        party["Ann"].command("flip", ["cell": 0])
        #expect(party["Ben"].propose("restart")?["type"] == "ok")
        #expect(party.watcher.last("proposed")?["what"] == "restart")
        #expect(party.watcher.last("proposed")?["seat"] == 1)
        #expect(party.watcher.last("proposed")?["asked"] == .list([0, 2]))
        #expect(party.watcher.last("proposed")?["deadline"]?.integer == party.hub.now + 30_000)
        party["Cy"].answer(true)
        #expect(party.state.phase == .running && party.state.gameNumber == 1)
        #expect(party.proposal?["agreed"] == .list([1, 2]) && party.proposal?["asked"] == .list([0]))
        party["Ann"].answer(true)
        #expect(party.types.suffix(4) == ["answered", "game-ended", "game-started", "turn"])
        #expect(Set(party.records.suffix(4).map(\.commit)).count == 1)
        #expect(party.watcher.last("game-ended")?["reason"] == "restart")
        #expect(party.watcher.last("game-ended")?["results"]?.list?.count == 3)
        #expect(party.state.gameNumber == 2 && party.state.gameView?["awaited"] == .list([0]))
        #expect(party.proposal == nil)
    }

    @Test("the first no ends it for all to see, and its player waits a minute before the next")
    func declined() {
        let party = Party(["Ann", "Ben", "Cy"])
        party["Ann"].propose("restart")
        party["Ben"].answer(false)
        #expect(party.types.suffix(2) == ["answered", "proposal-ended"])
        #expect(party.watcher.last("answered")?["seat"] == 1 && party.watcher.last("answered")?["agrees"] == false)
        #expect(party.watcher.last("proposal-ended")?["reason"] == "declined")
        let refusal = party["Ann"].propose("restart")
        #expect(refusal?["code"] == "proposed-lately")
        #expect(refusal?["until"]?.integer == party.hub.now + 60_000)
        #expect(party["Ben"].propose("restart")?["type"] == "ok")
        party["Ben"].answer(false)
        party.hub.pass(59_999)
        #expect(party["Ann"].propose("restart")?["code"] == "proposed-lately")
        party.hub.pass(1)
        #expect(party["Ann"].propose("restart")?["type"] == "ok")
    }

    @Test("after 30 s without an answer it expires, and its player has to wait too")
    func expired() {
        let party = Party(["Ann", "Ben"])
        party["Ann"].propose("restart")
        party.hub.pass(29_999)
        #expect(party.proposal != nil)
        party.hub.pass(1)
        #expect(party.watcher.last("proposal-ended")?["reason"] == "expired")
        #expect(party.state.phase == .running && party.state.gameNumber == 1)
        #expect(party["Ann"].propose("restart")?["code"] == "proposed-lately")
    }

    @Test("it can be withdrawn, and proposed again after a short pause")
    func withdrawn() {
        let party = Party(["Ann", "Ben"])
        party["Ann"].propose("restart")
        party["Ann"].answer(false)
        #expect(party.types.suffix(2) == ["proposed", "proposal-ended"])
        #expect(party.watcher.last("proposal-ended")?["reason"] == "withdrawn")
        #expect(party["Ann"].propose("restart")?["until"]?.integer == party.hub.now + 5_000)
        party.hub.pass(5_000)
        #expect(party["Ann"].propose("restart")?["type"] == "ok")
    }

    @Test("proposing it too means agreeing, and a yes can become a no")
    func twice() {
        let party = Party(["Ann", "Ben", "Cy"])
        party["Ann"].propose("restart")
        party["Ben"].propose("restart")
        #expect(party.types.last == "answered" && party.proposal?["agreed"] == .list([0, 1]))
        let version = party.state.version
        party["Ben"].answer(true)
        #expect(party.state.version == version)
        party["Ben"].answer(false)
        #expect(party.watcher.last("proposal-ended")?["reason"] == "declined")
    }

    @Test("alone, or with computers only, it happens at once, and is not recorded before the first card")
    func atOnce() {
        let party = Party(["Ann"], computers: 1)
        party["Ann"].propose("restart")
        #expect(party.types.suffix(3) == ["game-ended", "game-started", "turn"])
        #expect(party.watcher.last("game-ended")?["results"] == .list([]))
        #expect(party.state.gameNumber == 2)
    }

    @Test("absent players are not asked")
    func absent() {
        let party = Party(["Ann", "Ben", "Cy"], ["turnTime": 0])
        party["Ben"].leave()
        party.hub.pass(54_999)
        party["Ann"].propose("restart")
        #expect(party.watcher.last("proposed")?["asked"] == .list([1, 2]))
        party["Ann"].answer(false)
        party.hub.pass(5_001)
        party["Ann"].propose("restart")
        #expect(party.watcher.last("proposed")?["asked"] == .list([2]))
    }

    @Test("players helped by a computer are not asked, or no longer once they are helped")
    func helped() {
        let party = Party(["Ann", "Ben", "Cy"], ["turnTime": 0])
        party["Ben"].leave()
        party.hub.pass(59_990)
        party["Ann"].propose("restart")
        party.hub.pass(10)
        party["Ann"].command("bot", ["seat": 1, "level": "easy"])
        #expect(party.proposal?["asked"] == .list([2]))
        party["Ann"].answer(false)
        party.hub.pass(5_000)
        party["Ann"].propose("restart")
        #expect(party.watcher.last("proposed")?["asked"] == .list([2]))
    }

    @Test("it is refused if none of the others can be asked", arguments: [false, true])
    func nobodyToAsk(isHelped: Bool) {
        let party = Party(["Ann", "Ben"], computers: 1, ["turnTime": 0])
        party["Ben"].leave()
        party.hub.pass(60_000)
        if isHelped { party["Ann"].command("bot", ["seat": 1, "level": "easy"]) }
        let version = party.state.version
        #expect(party["Ann"].propose("restart")?["code"] == "nobody-to-ask")
        #expect(party.state.version == version)
    }

    @Test("with long turns everyone is asked, and it fails if they do not answer")
    func longTurns() {
        let party = Party(["Ann", "Ben"], ["turnTime": 86_400])
        party["Ben"].leave()
        party.hub.pass(3_600_000)
        party["Ann"].propose("restart")
        #expect(party.watcher.last("proposed")?["asked"] == .list([1]))
        party.hub.pass(30_000)
        #expect(party.watcher.last("proposal-ended")?["reason"] == "expired" && party.state.gameNumber == 1)
    }

    @Test("players marked away are not asked, or no longer, and no one agrees alone")
    func away() {
        let party = Party(["Ann", "Ben"], ["turnTime": 10])
        // Two turns of each have run out. Ann's third marks her away.
        party.hub.pass(45_000)
        #expect(party.state.gameView?["awaited"] == .list([0]) && party.state.gameView?["away"] == .list([]))
        party["Ben"].propose("restart")
        party.hub.pass(5_000)
        #expect(party.types.suffix(4) == ["turn-expired", "away", "turn", "proposal-ended"])
        #expect(party.watcher.last("proposal-ended")?["reason"] == "declined" && party.state.gameNumber == 1)
    }

    @Test(
        "a player who leaves is no longer asked, which may complete it", arguments: ["leave", "ban"])
    func gone(how: String) {
        let party = Party(["Ann", "Ben", "Cy"])
        party["Ann"].propose("restart")
        party["Cy"].answer(true)
        if how == "leave" { party["Ben"].command("leave") }
        if how == "ban" { party["Ann"].command("ban", ["player": .string(party.players[1].id)]) }
        #expect(party.types.contains("player-left"))
        #expect(party.watcher.last("game-ended")?["reason"] == "restart")
        #expect(party.state.gameNumber == 2 && party.state.playing.count == 2)
    }

    @Test("it is withdrawn once no one is left who wants it")
    func proposerGone() {
        let party = Party(["Ann", "Ben", "Cy"])
        party["Ben"].propose("restart")
        party["Ben"].command("leave")
        #expect(party.types.last == "proposal-ended")
        #expect(party.watcher.last("proposal-ended")?["reason"] == "withdrawn")
    }

    @Test("the last player continues the game after the others have left")
    func othersGone() {
        let party = Party(["Ann", "Ben"])
        party["Ann"].propose("restart")
        party["Ben"].command("leave")
        #expect(party.watcher.last("proposal-ended")?["reason"] == "declined")
        #expect(party.state.phase == .running && party.state.gameNumber == 1)
    }

    @Test("the next player in the proposer's seat does not inherit the waiting time")
    func seatOfAnother() {
        let party = Party(["Ann", "Ben", "Cy"])
        party["Ann"].propose("restart")
        party["Ben"].answer(true)
        party["Ann"].command("leave")
        party["Cy"].answer(false)
        #expect(party.watcher.last("proposal-ended")?["reason"] == "declined")
        party["Ben"].command("close")
        #expect(party.state.proposalPauses.keys.sorted() == [party.players[0].id])
    }

    @Test("an answer to an earlier proposal does not count for the present one")
    func lateAnswer() {
        let party = Party(["Ann", "Ben"])
        party["Ann"].propose("restart")
        let first = party.watcher.last("proposed")?["v"] ?? 0
        party.hub.pass(90_000)
        party["Ann"].propose("restart")
        #expect(party["Ben"].command("answer", ["agrees": true, "to": first])?["code"] == "nothing-proposed")
        #expect(party.proposal?["asked"] == .list([1]))
    }

    @Test("the end of the game clears it")
    func gameOver() {
        let party = Party(["Ann", "Ben"])
        party["Ann"].propose("restart")
        party["Ann"].command("close")
        #expect(party.proposal == nil && party.state.phase == .closed)
        #expect(!party.types.contains("proposal-ended"))
    }

    @Test("time in which the hub did not run does not count, and it survives a crash", arguments: [1_000, 600_000])
    func crash(downtime: Milliseconds) {
        let party = Party(["Ann", "Ben"], ["turnTime": 0])
        party["Ann"].propose("restart")
        party.hub.pass(20_000)
        party.hub.crash(downtime: downtime)
        let ann = party.hub.join(party.code, party.players[0])
        let ben = party.hub.join(party.code, party.players[1])
        #expect(
            ann.last("welcome")?["room"]?.object?["proposal"]?.object?["deadline"]?.integer == party.hub.now + 10_000)
        party.hub.pass(9_999)
        #expect(ben.last("proposal-ended") == nil)
        party.hub.pass(1)
        #expect(ben.last("proposal-ended")?["reason"] == "expired")
    }

    @Test(
        "is refused",
        arguments: [
            Refused("by who watches", "watcher", "propose", ["what": "restart"], "no-name"),
            Refused("of something else", "Ann", "propose", ["what": "pizza"], "bad-field"),
            Refused("without what", "Ann", "propose", [:], "bad-field"),
            Refused("a rematch in a running game", "Ann", "propose", ["what": "rematch"], "game-running"),
            Refused("an answer to nothing", "Ann", "answer", ["agrees": true, "to": 1], "nothing-proposed"),
            Refused("an answer without a word", "Ann", "answer", ["to": 1], "bad-field"),
            Refused("an answer to what?", "Ann", "answer", ["agrees": true], "bad-field"),
            Refused("who sat down for the next game", "Eve", "propose", ["what": "restart"], "not-seated"),
        ])
    func refuses(_ refused: Refused) {
        let party = Party(["Ann", "Ben"])
        let eve = party.hub.join(party.code, party.hub.player("Eve"))
        eve.command("sit")
        let page = refused.who == "watcher" ? party.watcher : refused.who == "Eve" ? eve : party[refused.who]
        #expect(page.command(refused.type, refused.fields)?["code"]?.string == refused.code)
    }

    @Test("an answer from a player who is not asked is refused")
    func notAsked() {
        let party = Party(["Ann", "Ben"])
        let eve = party.hub.join(party.code, party.hub.player("Eve"))
        eve.command("sit")
        party["Ann"].propose("restart")
        #expect(eve.answer(true)?["code"] == "not-asked")
    }

    struct Refused: CustomTestStringConvertible {
        let testDescription: String
        let who: String
        let type: String
        let fields: Fields
        let code: String
        init(_ what: String, _ who: String, _ type: String, _ fields: Fields, _ code: String) {
            (testDescription, self.who, self.type, self.fields, self.code) = (what, who, type, fields, code)
        }
    }
}
