import Cryptography
import EventStore
import Games
import JSON
import Records
import Testing

@testable import Hub
@testable import RoomRules
@testable import Rooms

/// A room in which games were played, ended, started again and left, with everything that its snapshots must hold.
struct LongTable {
    let table: Table
    var hub: ScriptedHub { table.hub }
    var stream: StreamName { .room(table.code) }
    var records: [Record] { hub.storage.records(of: stream) }

    /// - Parameter distance: the distance between snapshots.
    init(_ distance: Int = 1) throws {
        table = Table(limits: .with { $0.snapshotDistance = distance })
        let (ann, ben) = (table.annPage, table.benPage)
        for round in 0..<2 {
            table.playOut()
            ann.command("sit", ["commitment": .string(SHA256.digest(of: "nonce \(round)").hex)])
            table.playAgain()
            table.hub.pass(11_000)
        }
        ann.command("propose", ["what": "restart"])
        ben.answer(false)
        ann.command("bot", ["seat": 2, "level": "easy"])
        ann.command("mute", ["player": .string(table.ben.id)])
        let cai = table.hub.player("Cai")
        table.hub.join(table.code, cai).leave()
        ann.command("ban", ["player": .string(cai.id)])
        ann.command("visibility", ["visibility": "unlisted"])
        table.hub.standStill(25_000)
        ann.leave()
        table.hub.pass(Attendance.absence + 1_000)
        ben.command("here")
        ben.command("bot", ["seat": 0, "level": "easy"])
        table.hub.join(table.code, table.ann).command("propose", ["what": "restart"], id: "back")
        ben.answer(true)
        table.hub.pass(11_000)
        try #require(table.state.gameNumber == 4 && table.state.phase == .running)
    }

    /// The stored snapshot of the room.
    func kept() -> SnapshotRow? {
        var found: [SnapshotRow] = []
        hub.shard.readModels.find(.snapshot(ofRoom: table.code)) { found = (try? $0.get()) ?? [] }
        hub.settle()
        return found.first
    }

    /// Cuts the log back to `version` and shows a card there. More than one is more than the game can have.
    func goOn(from version: Int, times: Int = 1) throws {
        hub.storage.cutBack(stream, to: version)
        var state = RoomState(code: table.code, games: hub.games)
        for record in records { try state.apply(record) }
        let memory = try #require(state.game as? Memory)
        let turn = Seat(memory.view["mover"]?.integer ?? 0)
        let steps = try memory.decide("flip", ["cell": 0], by: turn, at: state.time)
        let log = BlockingLog(InMemoryLog(storage: hub.storage))
        for number in 1...times {
            let event = EventCoding.encode(
                .game(try #require(steps?.first)), version: version + number, at: state.time, more: false)
            let commit = Commit(
                id: "other/\(number)", appending: [event], to: stream, expecting: hub.storage.end(of: stream))
            #expect(log.append(commit) == .appended(version: version + number))
        }
    }

    /// Restarts the hub. Returns how many records of the room it has read when the first player is back, and that
    /// player's welcome.
    func wake() -> (read: Int, welcome: Fields?) {
        hub.crash(downtime: 1_000)
        let page = hub.join(table.code, table.ann)
        return (hub.counters.events.value, page.last("welcome"))
    }
}
