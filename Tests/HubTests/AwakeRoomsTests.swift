import Games
import Testing

@testable import Hub
@testable import Rooms

@Suite("Awake rooms")
struct AwakeRoomsTests {
    private let hub = ScriptedHub()

    @Test("rooms are in the order in which they woke, even if others have gone to sleep")
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

    @Test("all rooms are visited, though not many at once")
    func sweeps() {
        var codes: [String] = []
        while codes.count <= AwakeRooms.sweepLimit {
            let player = hub.player("Player \(codes.count)")
            for _ in 0..<100 { codes.append(hub.open(player)) }
        }
        for code in codes { hub.join(code).leave() }
        let guest = hub.join(codes[AwakeRooms.sweepLimit])
        #expect(hub.shard.rooms.all.count == codes.count)
        hub.pass(120_000)
        #expect(hub.shard.rooms.all.map(\.code) == [codes[AwakeRooms.sweepLimit]])
        guest.leave()
        hub.pass(120_000)
        #expect(hub.shard.rooms.all.isEmpty)
    }

    @Test("a timer fires for the room that set it, even if earlier rooms have gone to sleep")
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

    @Test("only rooms that know a player learn of changes of the account")
    func places() {
        let (ann, ben) = (hub.player("Ann"), hub.player("Ben"))
        let codes = (0..<3).map { _ in hub.open(ann) }
        let watchers = codes.map { hub.join($0) }
        let pages = [hub.join(codes[0], ben), hub.join(codes[1], ben)]
        pages[0].command("sit")
        #expect(known(ben) == [codes[0], codes[1]])
        // On another connection with another token, and gone: only his seat is left.
        pages[1].say(["type": "hello", "token": .string(ann.token)])
        pages[0].leave()
        #expect(known(ben) == [codes[0]])
        hub.pass(1_500)
        for watcher in watchers { watcher.clear() }
        #expect(hub.rename(ben, "Bo").status == 200)
        hub.pass(1_500)
        #expect(watchers.map { $0.last("presence")?["names"]?.object?[ben.id] } == [.string("Bo"), nil, nil])
        #expect(hub.request("DELETE", "/api/players/me", token: ben.token).status == 204)
        #expect(known(ben) == [])
        for page in watchers + pages { page.leave() }
        hub.pass(120_000)
        #expect(hub.shard.rooms.all.isEmpty && hub.shard.surroundings.places.players.isEmpty)
    }

    private func known(_ player: ScriptedPlayer) -> [String] {
        hub.shard.surroundings.places[player.id].map { $0.room.code }
    }
}
