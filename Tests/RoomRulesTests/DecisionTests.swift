import JSON
import Records
import Testing

@testable import RoomRules

@Suite("Decisions") struct DecisionTests {
    /// Two players at a table that has not started.
    private func table() throws -> FoldedRoom {
        var room = try FoldedRoom()
        for player in ["ann", "ben"] {
            room.connect(player)
            try room.command("sit", by: player)
        }
        return room
    }

    @Test("the state after a decision is the fold of its bytes")
    func fold() throws {
        var room = try table()
        let commands: [(String, Fields)] = [
            ("start", [:]), ("flip", ["cell": 0]), ("mute", ["player": "ben"]), ("propose", ["what": "restart"]),
            ("leave", [:]),
        ]
        for (type, fields) in commands {
            let decision = try room.decide(type, fields, by: "ann")
            #expect(!decision.isEmpty)
            var folded = room.state
            for record in try room.recorded(decision) { try folded.apply(record) }
            #expect(folded.version == decision.state.version && folded.roomView == decision.state.roomView)
            #expect(folded.gameView == decision.state.gameView)
            try room.append(decision)
        }
    }

    @Test("a decision is empty if everything is as asked")
    func empty() throws {
        let room = try table()
        #expect(try room.decide("sit", by: "ann").isEmpty)
        #expect(try room.decide("mute", ["player": "ben", "on": false], by: "ann").isEmpty)
    }

    @Test("a room takes over the state of a decision from its records, and later ones are left")
    func takesOver() throws {
        var room = try table()
        let decision = try room.decide("start", by: "ann")
        var state = room.state
        try room.append(decision)
        let first = state.version
        try room.command("flip", ["cell": 0], by: "ann")
        let new = room.records[first...]
        #expect(decision.moveState(into: &state, if: new) == 2)
        #expect(state.end == new.dropLast().last?.end)
    }

    enum Other: CaseIterable {
        case fewer, bytes, version, state
    }

    @Test("a decision is not taken over by records that differ", arguments: Other.allCases)
    func others(_ other: Other) throws {
        var room = try table()
        let decision = try room.decide("start", by: "ann")
        var records = try room.recorded(decision)
        switch other {
        case .fewer: records.removeLast()
        case .bytes:
            let event = records[1].event
            records[1] = records[1].with(Event(time: event.time, type: event.type, shown: event.shown + [0x20]))
        case .version: records[1] = records[1].with(version: records[1].version + 1)
        case .state: try room.command("visibility", ["visibility": "unlisted"], by: "ann")
        }
        var state = room.state
        #expect(decision.moveState(into: &state, if: records[...]) == nil)
        #expect(state.end == room.state.end && state.phase == .waiting)
    }
}

extension Record {
    fileprivate func with(_ event: Event? = nil, version: Int? = nil) -> Record {
        Record(
            stream: stream, version: version ?? self.version, position: position, commit: commit,
            event: event ?? self.event, hash: hash)
    }
}
