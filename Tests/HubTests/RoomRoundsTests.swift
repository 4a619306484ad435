import Testing

@testable import Hub

@Suite("Rounds over rooms whose rows lag") struct RoomRoundsTests {
    private let row = RoomRow.test("a")

    @Test("a round asks each room once, and brings the rows as far as the log was")
    func asksOnce() {
        var rounds = RoomRounds(from: 4)
        #expect(rounds.startRound(at: 0) == nil)
        for (room, position) in [("b", 5), ("a", 6), ("b", 7)] { rounds.recordChange(of: room, at: position) }
        #expect(rounds.startRound(at: 0) == ["b", "a"])
        #expect(rounds.startRound(at: 0) == nil)
        rounds.replyArrived(.row(row), from: "a")
        // After the beginning of the round.
        rounds.recordChange(of: "c", at: 8)
        #expect(rounds.takeOutcome() == nil)
        rounds.replyArrived(.broken, from: "b")
        let outcome = rounds.takeOutcome()
        #expect(outcome?.rows == [row] && outcome?.reached == 7 && outcome?.hasMore == false)
        #expect(rounds.startRound(at: 0) == ["c"])
    }

    @Test("if only other streams have changed, only the position moves")
    func movesPosition() {
        var rounds = RoomRounds(from: 0)
        rounds.recordChange(of: nil, at: 3)
        #expect(rounds.startRound(at: 0) == [])
        #expect(rounds.takeOutcome()?.reached == 3)
        #expect(rounds.startRound(at: 0) == nil)
    }

    @Test(
        "an unreadable room is asked again, and the rows do not advance",
        arguments: [RoomReply.unread, .busy])
    func asksAgain(reply: RoomReply) {
        var rounds = RoomRounds(from: 0)
        rounds.recordChange(of: "a", at: 3)
        #expect(rounds.startRound(at: 0) == ["a"])
        rounds.replyArrived(reply, from: "a")
        let outcome = rounds.takeOutcome()
        #expect(outcome?.rows == [] && outcome?.reached == nil && outcome?.hasMore == false)
        #expect(rounds.startRound(at: 0) == ["a"])
        rounds.replyArrived(.row(row), from: "a")
        #expect(rounds.takeOutcome()?.reached == 3)
    }

    @Test("a round asks a part of many rooms, and the last one brings the position")
    func isLimited() {
        var rounds = RoomRounds(from: 0)
        let codes = (0...RoomRounds.limit).map { "room\($0)" }
        for (index, code) in codes.enumerated() { rounds.recordChange(of: code, at: index + 1) }
        var asked = rounds.startRound(at: 0) ?? []
        #expect(asked.count == RoomRounds.limit)
        for code in asked { rounds.replyArrived(.absent, from: code) }
        let first = rounds.takeOutcome()
        #expect(first?.reached == nil && first?.hasMore == true)
        asked += rounds.startRound(at: 0) ?? []
        #expect(asked == codes)
        rounds.replyArrived(.absent, from: codes[RoomRounds.limit])
        #expect(rounds.takeOutcome()?.reached == codes.count)
    }

    @Test("a room with only moves waits, and the rows stay before its first")
    func waits() {
        var rounds = RoomRounds(from: 0)
        rounds.recordChange(of: "moves", at: 1, due: 50)
        rounds.recordChange(of: "news", at: 2)
        rounds.recordChange(of: "moves", at: 3, due: 90)
        #expect(rounds.startRound(at: 10) == ["news"])
        rounds.replyArrived(.row(row), from: "news")
        #expect(rounds.takeOutcome()?.reached == 0)
        #expect(rounds.startRound(at: 49) == nil)
        #expect(rounds.startRound(at: 50) == ["moves"])
        rounds.replyArrived(.row(row), from: "moves")
        #expect(rounds.takeOutcome()?.reached == 3)
    }

    @Test("a waiting room stops waiting once anything else happens in it")
    func waitsNoLonger() {
        var rounds = RoomRounds(from: 0)
        rounds.recordChange(of: "a", at: 1, due: 50)
        rounds.recordChange(of: "b", at: 2, due: 60)
        rounds.recordChange(of: "a", at: 3)
        #expect(rounds.startRound(at: 10) == ["a"])
        // A move after the requested one, so its time starts again.
        rounds.recordChange(of: "a", at: 4, due: 70)
        rounds.replyArrived(.row(row), from: "a")
        #expect(rounds.takeOutcome()?.reached == 1)
        #expect(rounds.startRound(at: 60) == ["b"])
        rounds.replyArrived(.row(row), from: "b")
        #expect(rounds.takeOutcome()?.reached == 3)
        #expect(rounds.startRound(at: 69) == nil)
        #expect(rounds.startRound(at: 70) == ["a"])
    }

    @Test("a round asks a part of many waiting rooms, and another follows at once")
    func waitingIsLimited() {
        var rounds = RoomRounds(from: 0)
        let codes = (0...RoomRounds.limit).map { "room\($0)" }
        for (index, code) in codes.enumerated() { rounds.recordChange(of: code, at: index + 1, due: 9) }
        #expect(rounds.startRound(at: 8) == nil)
        let asked = rounds.startRound(at: 9) ?? []
        #expect(asked.count == RoomRounds.limit)
        for code in asked { rounds.replyArrived(.absent, from: code) }
        let outcome = rounds.takeOutcome()
        #expect(outcome?.reached == RoomRounds.limit && outcome?.hasMore == true)
        #expect(rounds.startRound(at: 9) == [codes[RoomRounds.limit]])
    }
}
