import Cryptography
import Games
import Testing

@testable import Hub

@Suite("Proposals: a rematch") struct RematchTests {
    @Test("when all have answered, those who agreed are dealt in, and the others keep their seats")
    func agreed() {
        let party = Party(["Ann", "Ben", "Cy"], endsGame: true)
        #expect(party["Ben"].propose("rematch")?["type"] == "ok")
        #expect(party.watcher.last("proposed")?["asked"] == .list([0, 2]))
        party["Ann"].answer(false)
        #expect(party.proposal?["asked"] == .list([2]) && party.proposal?["agreed"] == .list([1]))
        party["Cy"].answer(true)
        #expect(party.types.suffix(3) == ["answered", "game-started", "turn"])
        #expect(party.state.playing.keys.sorted() == [Seat(1), Seat(2)])
        #expect(party.state.seats.count == 3 && party.proposal == nil)
        // The last game began with seat 0.
        #expect(party.state.gameView?["awaited"] == .list([1]))
    }

    @Test("when time is up those who agreed play, or it expires if they are too few")
    func timeUp() {
        let party = Party(["Ann", "Ben", "Cy"], endsGame: true)
        party["Ann"].propose("rematch")
        party.hub.pass(30_000)
        #expect(party.watcher.last("proposal-ended")?["reason"] == "expired" && party.state.phase == .ended)
        party["Ann"].propose("rematch")
        party["Ben"].answer(true)
        party.hub.pass(30_000)
        #expect(party.state.phase == .running && party.state.playing.count == 2)
    }

    @Test("if no one wants it, it is declined, and can be proposed again at once")
    func declined() {
        let party = Party(["Ann", "Ben"], endsGame: true)
        party["Ann"].propose("rematch")
        party["Ben"].answer(false)
        #expect(party.types.suffix(2) == ["answered", "proposal-ended"])
        #expect(party.watcher.last("proposal-ended")?["reason"] == "declined")
        #expect(party["Ann"].propose("rematch")?["type"] == "ok")
    }

    @Test("disconnected players are not asked, but may join in later, as may those who change their mind")
    func joining() {
        let party = Party(["Ann", "Ben", "Cy", "Dee"], endsGame: true)
        party["Cy"].leave()
        party["Ann"].propose("rematch")
        #expect(party.watcher.last("proposed")?["asked"] == .list([1, 3]))
        party["Ben"].answer(false)
        party["Ben"].answer(true)
        // Its commands start again: one of the first ids would belong to an earlier command.
        let to = party.proposal?["v"] ?? 0
        party.hub.join(party.code, party.players[2]).command("answer", ["agrees": true, "to": to], id: "late")
        #expect(party.proposal?["agreed"] == .list([0, 1, 2]))
        party["Dee"].answer(false)
        #expect(party.state.playing.keys.map(\.rawValue).sorted() == [0, 1, 2])
    }

    @Test("sitting down says yes; computers play along")
    func arrivals() {
        let party = Party(["Ann", "Ben"], computers: 1, endsGame: true)
        party["Ann"].propose("rematch")
        let eve = party.hub.join(party.code, party.hub.player("Eve"))
        eve.command("sit")
        #expect(party.proposal?["agreed"] == .list([0, 3]))
        party["Ben"].answer(false)
        #expect(party.state.playing.keys.map(\.rawValue).sorted() == [0, 2, 3])
    }

    @Test("alone, or with computers, it happens at once, but not without an absent player")
    func atOnce() {
        let duel = Party(["Ann"], computers: 1, endsGame: true)
        #expect(duel["Ann"].propose("rematch")?["type"] == "ok")
        #expect(duel.state.phase == .running && !duel.types.contains("proposed"))
        let party = Party(["Ann", "Ben"], endsGame: true)
        party["Ben"].leave()
        let refusal = party["Ann"].propose("rematch")
        #expect(refusal?["code"] == "nobody-to-ask")
        party["Ann"].command("free", ["seat": 1])
        #expect(party["Ann"].propose("rematch")?["type"] == "ok")
        #expect(party.state.playing.count == 1)
    }

    @Test("a player who agreed and has left is not dealt in, and one of several does not play alone")
    func goneSince() {
        let party = Party(["Ann", "Ben", "Cy"], endsGame: true)
        party["Ann"].propose("rematch")
        party["Ben"].answer(true)
        party["Ann"].leave()
        party["Cy"].answer(true)
        #expect(party.state.phase == .running && party.state.playing.keys.sorted() == [Seat(1), Seat(2)])
        let pair = Party(["Ann", "Ben"], endsGame: true)
        pair["Ann"].propose("rematch")
        pair["Ben"].command("leave")
        #expect(pair.watcher.last("proposal-ended")?["reason"] == "declined" && pair.state.phase == .ended)
    }

    @Test("computers do not play among themselves if all who wanted it have left")
    func computersAlone() {
        let party = Party(["Ann", "Ben"], computers: 2, endsGame: true)
        party["Ann"].propose("rematch")
        party["Ann"].leave()
        party.hub.pass(30_000)
        #expect(party.state.phase == .ended && party.proposal == nil)
        #expect(party.watcher.last("proposal-ended")?["reason"] == "expired")
    }

    @Test("a no from the new owner of the proposer's seat is only a no, and the proposer may sit elsewhere")
    func seats() {
        let party = Party(["Ann", "Ben", "Cy"], endsGame: true)
        party["Ann"].propose("rematch")
        party["Ann"].command("sit", ["seat": 5])
        #expect(party.proposal?["seat"] == 5 && party.proposal?["agreed"] == .list([5]))
        let dee = party.hub.join(party.code, party.hub.player("Dee"))
        dee.command("sit", ["seat": 0])
        dee.answer(false)
        #expect(party.proposal?["agreed"] == .list([5]))
        party["Ann"].answer(false)
        #expect(party.watcher.last("proposal-ended")?["reason"] == "withdrawn")
    }

    @Test("options that the host changes in between apply to it")
    func options() {
        let party = Party(["Ann", "Ben"], endsGame: true)
        party["Ben"].propose("rematch")
        party["Ann"].command("options", ["options": .object(["columns": 4])])
        party["Ann"].answer(true)
        #expect(party.state.gameView?["columns"] == 4)
    }

    @Test(
        "a player who leaves is no longer asked, which may complete it, and is not dealt in", arguments: [true, false])
    func gone(isFreed: Bool) {
        let party = Party(["Ann", "Ben", "Cy"], endsGame: true)
        party["Ann"].propose("rematch")
        party["Ben"].answer(true)
        if isFreed { party["Ann"].command("free", ["seat": 2]) } else { party["Cy"].command("leave") }
        #expect(party.state.phase == .running && party.state.playing.count == 2)
    }

    @Test("it and its time survive a hub that was down, and a room that slept")
    func crash() {
        let party = Party(["Ann", "Ben", "Cy"], endsGame: true)
        party["Ann"].propose("rematch")
        party["Ben"].answer(true)
        party.hub.pass(10_000)
        party.hub.crash(downtime: 300_000)
        for player in party.players.prefix(2) { _ = party.hub.join(party.code, player) }
        party.hub.pass(19_999)
        #expect(party.state.phase == .ended && party.state.proposal != nil)
        party.hub.pass(1)
        #expect(party.state.phase == .running && party.state.playing.count == 2)
    }

    @Test("players with a commitment are waited for, as in any deal")
    func dealing() {
        let party = Party(["Ann", "Ben"], endsGame: true)
        let nonce = [UInt8](repeating: 7, count: 16)
        party["Ben"].command("sit", ["commitment": .string(SHA256.digest(of: nonce).hex)])
        party["Ann"].propose("rematch")
        party["Ben"].answer(true)
        #expect(party.types.suffix(2) == ["answered", "dealing"] && party.proposal == nil)
        #expect(party["Ann"].propose("rematch")?["code"] == "dealing")
        party["Ben"].command("ready", ["nonce": .string(nonce.hex)])
        #expect(party.state.phase == .running)
    }

    @Test("the first game is started, and every other one proposed")
    func start() {
        let party = Party(["Ann", "Ben"], endsGame: true)
        let refusal = party["Ann"].command("start")
        #expect(refusal?["code"] == "played-already" && refusal?["message"]?.string?.contains("`propose`") == true)
        let hub = ScriptedHub()
        let ann = hub.player("Ann")
        let page = hub.join(hub.open(ann), ann)
        page.command("sit")
        #expect(page.propose("rematch")?["code"] == "not-played-yet")
        #expect(page.propose("restart")?["code"] == "not-running")
    }
}
