import Records
import Synchronization
import Testing

@testable import EventStore

@Suite("Presence in rooms by leases, on every engine that several may write to") struct PresenceContractTests {
    private let place = Place()

    private func open(_ run: String, _ engine: Engine) throws -> any LeaseStore {
        try Node(run, engine, at: place).leases
    }

    private func say(_ rooms: [RoomPresence], isWhole: Bool = false) -> PresenceReport {
        PresenceReport(rooms: rooms, isWhole: isWhole)
    }

    /// Others' reports since these renewals, by run and room.
    private func told(_ leases: any LeaseStore, seen: [String: Int] = [:]) throws -> [String: [RoomPresence]] {
        try leases.answer(renewing: "", PresenceReport(seen: seen)).get().presence
            .mapValues { $0.sorted { $0.room < $1.room } }
    }

    @Test(
        "other runs get a run's report until they have seen it, and it does not get its own", arguments: Engine.shared)
    func tells(engine: Engine) throws {
        let (one, two) = (try open("one", engine), try open("two", engine))
        let (blue, red) = (RoomPresence("blue", 1, 0), RoomPresence("r\u{e9}d", 2, 9))
        let answer = try one.answer(renewing: "", say([blue, red])).get()
        #expect(answer.presence.isEmpty && answer.leases.map(\.renewals) == [1])
        #expect(try told(two) == ["one": [blue, red]])
        #expect(try two.answer().get().presence.isEmpty)
        #expect(try told(two, seen: ["one": 1]).isEmpty)

        let more = RoomPresence("blue", 1, 1)
        _ = one.answer(renewing: "", say([more]))
        #expect(try told(two, seen: ["one": 1, "nobody": 7]) == ["one": [more]])
        #expect(try told(two) == ["one": [more, red]])
        #expect(try told(two, seen: ["one": 2]).isEmpty)
    }

    @Test("an abandoned room is reported for half a minute", arguments: Engine.shared)
    func tellsWhoHasLeft(engine: Engine) throws {
        let (one, two) = (try open("one", engine), try open("two", engine))
        let (red, nobody) = (RoomPresence("red", 1, 0), RoomPresence("blue", 0, 0))
        _ = one.answer(renewing: "", say([red, RoomPresence("blue", 1, 1)]))
        _ = one.answer(renewing: "", say([nobody]))
        for _ in 1..<PresenceReport.leftFor { _ = one.answer(renewing: "", say([])) }
        #expect(try told(two, seen: ["one": 1]) == ["one": [nobody]])
        _ = one.answer(renewing: "", say([]))
        #expect(try told(two, seen: ["one": 1]).isEmpty)
        #expect(try told(two) == ["one": [red]])
    }

    @Test("a whole report empties all other rooms of its run", arguments: Engine.shared)
    func saysAll(engine: Engine) throws {
        let (one, two) = (try open("one", engine), try open("two", engine))
        let (red, blue, nobody) = (RoomPresence("red", 1, 0), RoomPresence("blue", 1, 1), RoomPresence("red", 0, 0))
        _ = two.answer(renewing: "", say([red]))
        _ = one.answer(renewing: "", say([red, blue]))
        _ = one.answer(renewing: "", say([blue], isWhole: true))
        #expect(try told(two, seen: ["one": 1]) == ["one": [blue, nobody]])
        _ = one.answer(renewing: "", say([], isWhole: true))
        #expect(try told(two, seen: ["one": 2]) == ["one": [RoomPresence("blue", 0, 0)]])
        #expect(try told(one) == ["two": [red]])
    }

    @Test("no one gets the reports of a fenced run", arguments: Engine.shared)
    func fenced(engine: Engine) throws {
        let (lost, other) = (try self.open("lost", engine), try self.open("other", engine))
        let desk = try Node("other", engine, at: place).desk
        _ = lost.answer(renewing: "", say([RoomPresence("red", 1, 0)]))
        #expect(try told(other)["lost"] != nil)
        #expect(try desk.append(.fence("lost")) == .appended(version: 1))
        #expect(try told(other).isEmpty)
        #expect(try lost.answer(renewing: "", say([RoomPresence("red", 2, 0)])).get().isFenced)
        #expect(try told(other).isEmpty)
    }

    @Test("a reader misses nothing while others renew", arguments: Engine.shared)
    func races(engine: Engine) async throws {
        let runs = try ["one", "two", "three"].map { ($0, try open($0, engine)) }
        let watcher = try open("watcher", engine)
        let ended = EndedRuns()
        let found = await withTaskGroup(of: Bool?.self) { group in
            for (run, leases) in runs {
                group.addTask {
                    for number in 1...100 {
                        let count = RoomPresence("\(run)-room-\(number % 7)", number, number % 3)
                        _ = leases.answer(renewing: "", PresenceReport(rooms: [count]))
                    }
                    ended.count.withLock { $0 += 1 }
                    return nil
                }
            }
            group.addTask { watcher.knowsAll(once: { ended.count.withLock { $0 } == runs.count }, rooms: 21) }
            return await group.reduce(false) { $0 || $1 == true }
        }
        #expect(found)
    }
}

private final class EndedRuns: Sendable {
    let count = Mutex(0)
}

extension LeaseStore {
    /// Asks for changes until `isLast`, and once after that. Returns whether they add up to the present state of so
    /// many rooms.
    fileprivate func knowsAll(once isLast: () -> Bool, rooms: Int) -> Bool {
        var (seen, known) = ([String: Int](), [String: RoomPresence]())
        while true {
            let isLast = isLast()
            guard let answer = try? answer(renewing: "", PresenceReport(seen: seen)).get() else { return false }
            for count in answer.presence.values.joined() { known[count.room] = count }
            for lease in answer.leases { seen[lease.run] = lease.renewals }
            if isLast { break }
        }
        guard let all = try? answer(renewing: "", PresenceReport()).get() else { return false }
        return known.count == rooms && all.presence.values.joined().allSatisfy { known[$0.room] == $0 }
    }
}

extension RoomPresence {
    init(_ room: String, _ present: Int, _ spectators: Int) {
        self.init(room: room, present: present, spectators: spectators)
    }
}
