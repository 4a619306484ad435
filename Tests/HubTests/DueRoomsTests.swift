import EventStore
import Games
import Testing

@testable import Hub

@Suite("Due rooms") struct DueRoomsTests {
    private let hub = ScriptedHub()
    private let shards = UnansweredShards()
    private let dueRooms: DueRooms

    init() { dueRooms = DueRooms(hub.shard.surroundings, hub.shard.readModels, nil, shards: shards) }

    /// The rooms woken so far, in order.
    private func woken() -> [String] {
        hub.settle()
        return shards.messages.flatMap { message -> [String] in
            if case .wake(let codes) = message { codes } else { [] }
        }
    }

    @Test("a room is woken once, unless all are looked for again")
    func wakesOnce() {
        hub.write([RoomRow.test("red", deadline: hub.now).change])
        dueRooms.wake()
        #expect(woken() == ["red"])
        dueRooms.wake()
        #expect(woken() == ["red"])
        dueRooms.searchAllAgain()
        dueRooms.wake()
        #expect(woken() == ["red", "red"])
    }

    @Test("without rows, rooms wake by their own reports, up to a limit, each once")
    func wakesTold() {
        let dueRooms = DueRooms(
            hub.shard.surroundings, hub.shard.readModels, nil, shards: shards, toldLimit: 2)
        hub.rows.damage(.rowsFailed(reason: "damaged"))
        hub.rows.refuse(.rowsFailed(reason: "damaged"))
        let late = hub.now + hub.shard.surroundings.limits.wakeAhead
        dueRooms.recordDeadlines(of: [
            .test("red", deadline: hub.now), .test("blue", deadline: late), .test("past", deadline: 0),
        ])
        dueRooms.recordDeadlines(of: [.test("none"), .test("red", version: 2, deadline: hub.now + 1)])
        dueRooms.wake()
        #expect(woken() == ["red"])
        hub.pass(1)
        dueRooms.wake()
        #expect(woken() == ["red", "blue"])
        dueRooms.wake()
        #expect(woken() == ["red", "blue"])
    }

    @Test("all are looked for again, even if an earlier answer is still under way")
    func beginsAnew() {
        hub.write([RoomRow.test("red", deadline: hub.now).change])
        dueRooms.wake()
        #expect(woken() == ["red"])
        hub.write([RoomRow.test("blue", deadline: hub.now + hub.shard.surroundings.limits.wakeAhead).change])
        hub.pass(1_000)
        dueRooms.wake()
        dueRooms.searchAllAgain()
        #expect(woken() == ["red", "blue"])
        dueRooms.wake()
        #expect(Set(woken().dropFirst(2)) == ["red", "blue"])
    }

    @Test("a room whose row later says that it is due is woken then")
    func lateRow() {
        let until = hub.now + hub.shard.surroundings.limits.wakeAhead
        dueRooms.wake()
        dueRooms.rowsChanged([.test("red", deadline: until - 1), .test("blue", deadline: until), .test("none")])
        #expect(woken() == ["red"])
        hub.write([RoomRow.test("blue", deadline: until).change])
        hub.pass(1)
        dueRooms.wake()
        #expect(woken() == ["red", "blue"])
    }

    @Test("after a change of nodes, rooms are looked for again once the rows have the earlier nodes' records")
    func rowsCatchUp() {
        _ = hub.player("Ann")
        let end = hub.storage.lastPosition
        dueRooms.nodesChanged()
        hub.settle()
        for (position, isLooked) in [(end - 1, false), (end, true)] {
            dueRooms.wake()
            hub.settle()
            let code = "room\(position)"
            hub.write([RoomRow.test(code, deadline: hub.now).change], reached: position)
            for _ in 0..<2 {
                dueRooms.wake()
                hub.settle()
            }
            #expect(woken().contains(code) == isLooked)
        }
    }

    @Test("rooms are looked for again once rebuilt rows are complete")
    func rowsBuiltAgain() {
        for (position, code) in [(7, "red"), (3, "blue"), (7, "green")] {
            hub.write([RoomRow.test(code, deadline: hub.now).change], reached: position)
            dueRooms.wake()
            hub.settle()
        }
        #expect(woken() == ["red"])
        dueRooms.wake()
        #expect(Set(woken()) == ["red", "blue", "green"])
    }
}
