import Cryptography
import Games
import Testing

@testable import Hub

@Suite("Proposals: a rematch") struct RematchTests {
    @Test("when all have answered those who agreed are dealt in, and the others keep their seat")
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
        #expect(party.state.gameView?["turn"] == 1)
    }

    @Test("with time up those who agreed play; where they are too few it expires")
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

    @Test("nobody wants it: it is declined, and can be proposed again at once")
    func declined() {
        let party = Party(["Ann", "Ben"], endsGame: true)
        party["Ann"].propose("rematch")
        party["Ben"].answer(false)
        #expect(party.types.suffix(2) == ["answered", "proposal-ended"])
        #expect(party.watcher.last("proposal-ended")?["reason"] == "declined")
        #expect(party["Ann"].propose("rematch")?["type"] == "ok")
    }

    @Test("who has no connection is not asked; whoever comes meanwhile may join in, and who thinks better, too")
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

    @Test("alone, or with computers, it happens at once; not instead of somebody who is not there")
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

    @Test("whoever agreed and has gone since is not dealt in, nor does one of several play alone")
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

    @Test("computers do not play among themselves where all who wanted it have gone since")
    func computersAlone() {
        let party = Party(["Ann", "Ben"], computers: 2, endsGame: true)
        party["Ann"].propose("rematch")
        party["Ann"].leave()
        party.hub.pass(30_000)
        #expect(party.state.phase == .ended && party.proposal == nil)
        #expect(party.watcher.last("proposal-ended")?["reason"] == "expired")
    }

    @Test("a no of who has its player's old seat is only a no, and the player may take another seat")
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

    @Test("options that the host changes meanwhile hold for it")
    func options() {
        let party = Party(["Ann", "Ben"], endsGame: true)
        party["Ben"].propose("rematch")
        party["Ann"].command("options", ["options": .object(["columns": 4])])
        party["Ann"].answer(true)
        #expect(party.state.gameView?["columns"] == 4)
    }

    @Test("who goes is asked no more, which may complete it, and is not dealt in", arguments: [true, false])
    func gone(isFreed: Bool) {
        let party = Party(["Ann", "Ben", "Cy"], endsGame: true)
        party["Ann"].propose("rematch")
        party["Ben"].answer(true)
        if isFreed { party["Ann"].command("free", ["seat": 2]) } else { party["Cy"].command("leave") }
        #expect(party.state.phase == .running && party.state.playing.count == 2)
    }

    @Test("a hub that was down, and a room that slept, keep it and its time")
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

    @Test("those who promised a nonce are waited for, as in any deal")
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

    @Test("the first game is started, every other proposed")
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
