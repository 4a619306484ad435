import EventStore
import Testing

@testable import Hub
@testable import Rooms

@Suite("Several nodes: people in a room") struct PresenceCountsTests {
    private let counts = PresenceCounts()

    @Test("this node's counts come first, and others' count if it has none") func own() {
        counts.set([RoomPresence(room: "red", present: 3, spectators: 1)], by: "b", isAll: false)
        #expect(counts.count(in: "red") == PresenceCount(present: 3, spectators: 1))
        counts.set(PresenceCount(present: 1), in: "red")
        #expect(counts.count(in: "red") == PresenceCount(present: 1))
        counts.set(PresenceCount(), in: "red")
        #expect(counts.count(in: "red").present == 3)
        counts.set([RoomPresence(room: "red", present: 0, spectators: 0)], by: "b", isAll: false)
        #expect(counts.count(in: "red") == PresenceCount())
    }

    @Test("of two nodes that count a room the later one counts, until it is empty or gone", arguments: [false, true])
    func later(isGone: Bool) {
        counts.set([RoomPresence(room: "red", present: 1, spectators: 0)], by: "b", isAll: true)
        counts.set([RoomPresence(room: "red", present: 2, spectators: 0)], by: "a", isAll: true)
        #expect(counts.count(in: "red").present == 2)
        if isGone { counts.forget { $0 == "a" } } else { counts.set([], by: "a", isAll: true) }
        #expect(counts.count(in: "red").present == 1)
    }

    @Test("changes are taken once, all if requested, and at most the limit at a time") func changes() {
        func taken(all: Bool = false, limit: Int = 2) -> [String] {
            counts.takeChanges(all: all, limit: limit).map { "\($0.room) \($0.present)" }.sorted()
        }
        for room in ["a", "b", "c"] { counts.set(PresenceCount(present: 1), in: room) }
        #expect(taken(all: true) == ["a 1", "b 1"])
        #expect(taken() == ["c 1"] && taken().isEmpty)
        counts.set(PresenceCount(present: 1), in: "a")
        #expect(taken().isEmpty)
        counts.set(PresenceCount(), in: "a")
        counts.set(PresenceCount(present: 5), in: "b")
        #expect(taken() == ["a 0", "b 5"])
        #expect(taken(all: true, limit: 3) == ["b 5", "c 1"])
    }
}
