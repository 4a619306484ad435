import Testing

@testable import Hub

@Suite("Rounds over rooms whose rows lag") struct RoomRoundsTests {
    private let row = RoomRow.test("a")

    @Test("a round asks each room once, and brings the rows as far as the log was")
    func asksOnce() {
        var rounds = RoomRounds(from: 4)
        #expect(rounds.begin(at: 0) == nil)
        for (room, position) in [("b", 5), ("a", 6), ("b", 7)] { rounds.note(room, at: position) }
        #expect(rounds.begin(at: 0) == ["b", "a"])
        #expect(rounds.begin(at: 0) == nil)
        rounds.received(.row(row), from: "a")
        // After the beginning of the round.
        rounds.note("c", at: 8)
        #expect(rounds.end() == nil)
        rounds.received(.broken, from: "b")
        let outcome = rounds.end()
        #expect(outcome?.rows == [row] && outcome?.reached == 7 && outcome?.mayGoOn == false)
        #expect(rounds.begin(at: 0) == ["c"])
    }

    @Test("if only other streams have changed, only the position moves")
    func movesPosition() {
        var rounds = RoomRounds(from: 0)
        rounds.note(nil, at: 3)
        #expect(rounds.begin(at: 0) == [])
        #expect(rounds.end()?.reached == 3)
        #expect(rounds.begin(at: 0) == nil)
    }

    @Test(
        "an unreadable room is asked again, and the rows do not advance",
        arguments: [RoomReply.unread, .busy])
    func asksAgain(reply: RoomReply) {
        var rounds = RoomRounds(from: 0)
        rounds.note("a", at: 3)
        #expect(rounds.begin(at: 0) == ["a"])
        rounds.received(reply, from: "a")
        let outcome = rounds.end()
        #expect(outcome?.rows == [] && outcome?.reached == nil && outcome?.mayGoOn == false)
        #expect(rounds.begin(at: 0) == ["a"])
        rounds.received(.row(row), from: "a")
        #expect(rounds.end()?.reached == 3)
    }

    @Test("a round asks a part of many rooms, and the last one brings the position")
    func isLimited() {
        var rounds = RoomRounds(from: 0)
        let codes = (0...RoomRounds.limit).map { "room\($0)" }
        for (index, code) in codes.enumerated() { rounds.note(code, at: index + 1) }
        var asked = rounds.begin(at: 0) ?? []
        #expect(asked.count == RoomRounds.limit)
        for code in asked { rounds.received(.absent, from: code) }
        let first = rounds.end()
        #expect(first?.reached == nil && first?.mayGoOn == true)
        asked += rounds.begin(at: 0) ?? []
        #expect(asked == codes)
        rounds.received(.absent, from: codes[RoomRounds.limit])
        #expect(rounds.end()?.reached == codes.count)
    }

    @Test("a room with only moves waits, and the rows stay before its first")
    func waits() {
        var rounds = RoomRounds(from: 0)
        rounds.note("moves", at: 1, due: 50)
        rounds.note("news", at: 2)
        rounds.note("moves", at: 3, due: 90)
        #expect(rounds.begin(at: 10) == ["news"])
        rounds.received(.row(row), from: "news")
        #expect(rounds.end()?.reached == 0)
        #expect(rounds.begin(at: 49) == nil)
        #expect(rounds.begin(at: 50) == ["moves"])
        rounds.received(.row(row), from: "moves")
        #expect(rounds.end()?.reached == 3)
    }

    @Test("a waiting room stops waiting once anything else happens in it")
    func waitsNoLonger() {
        var rounds = RoomRounds(from: 0)
        rounds.note("a", at: 1, due: 50)
        rounds.note("b", at: 2, due: 60)
        rounds.note("a", at: 3)
        #expect(rounds.begin(at: 10) == ["a"])
        // A move after the requested one, so its time starts again.
        rounds.note("a", at: 4, due: 70)
        rounds.received(.row(row), from: "a")
        #expect(rounds.end()?.reached == 1)
        #expect(rounds.begin(at: 60) == ["b"])
        rounds.received(.row(row), from: "b")
        #expect(rounds.end()?.reached == 3)
        #expect(rounds.begin(at: 69) == nil)
        #expect(rounds.begin(at: 70) == ["a"])
    }

    @Test("a round asks a part of many waiting rooms, and another follows at once")
    func waitingIsLimited() {
        var rounds = RoomRounds(from: 0)
        let codes = (0...RoomRounds.limit).map { "room\($0)" }
        for (index, code) in codes.enumerated() { rounds.note(code, at: index + 1, due: 9) }
        #expect(rounds.begin(at: 8) == nil)
        let asked = rounds.begin(at: 9) ?? []
        #expect(asked.count == RoomRounds.limit)
        for code in asked { rounds.received(.absent, from: code) }
        let outcome = rounds.end()
        #expect(outcome?.reached == RoomRounds.limit && outcome?.mayGoOn == true)
        #expect(rounds.begin(at: 9) == [codes[RoomRounds.limit]])
    }
}
