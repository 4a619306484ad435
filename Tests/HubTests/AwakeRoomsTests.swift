import Games
import Testing

@testable import Hub

@Suite("The rooms that are awake")
struct AwakeRoomsTests {
    private let hub = ScriptedHub()

    @Test("they stand in the order in which they woke, whichever of them has gone to sleep")
    func order() {
        let ann = hub.player("Ann")
        let codes = (0..<12).map { _ in hub.open(ann) }
        let guests = codes.map { hub.join($0) }
        #expect(hub.shard.rooms.all.map(\.code) == codes)
        for index in [0, 5, 11] { guests[index].leave() }
        hub.pass(120_000)
        let awake = codes.indices.filter { ![0, 5, 11].contains($0) }.map { codes[$0] }
        #expect(hub.shard.rooms.all.map(\.code) == awake)
        _ = hub.join(codes[5])
        #expect(hub.shard.rooms.all.map(\.code) == awake + [codes[5]])
    }

    @Test("a timer fires for the room that set it, where others before it have gone to sleep")
    func timers() {
        let ann = hub.player("Ann")
        let codes = (0..<5).map { _ in hub.open(ann) }
        let guests = codes.map { hub.join($0) }
        guests[1].leave()
        hub.pass(120_000)
        for index in [0, 2, 3, 4] {
            for guest in guests { guest.clear() }
            let player = hub.join(codes[index], ann)
            hub.pass(1_000)
            player.leave()
            hub.pass(1_000)
            #expect(guests.indices.filter { guests[$0].last("presence") != nil } == [index])
        }
    }
}
