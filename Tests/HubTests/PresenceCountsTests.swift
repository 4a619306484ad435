import Testing

@testable import Hub

@Suite("Several nodes: how many are in a room") struct PresenceCountsTests {
    private let counts = PresenceCounts()
    private let b = NodeName("b")
    private let c = NodeName("c")

    @Test("what loops have counted here stays when a node is gone, and what that has said goes")
    func stays() {
        counts.set(PresenceCount(present: 1), in: "here")
        counts.set(PresenceCount(present: 2), in: "at-b", from: b)
        counts.set(PresenceCount(present: 3), in: "at-c", from: c)
        counts.forget { $0 == b }
        #expect(["here", "at-b", "at-c"].map { counts.count(in: $0).present } == [1, 0, 3])
        let (isAny, isSome) = (counts.doubt(b), counts.doubt(c))
        #expect(!isAny && isSome)
        counts.forgetStale()
        #expect(["here", "at-c"].map { counts.count(in: $0).present } == [1, 0])
    }

    @Test("what a home says that is another's by now counts only where that is not so yet", arguments: [false, true])
    func late(isNext: Bool) {
        counts.set(PresenceCount(present: 1), in: "room", from: b)
        counts.set(PresenceCount(present: 2), in: "room", from: c, isStale: true)
        #expect(counts.count(in: "room").present == 1)
        _ = counts.review { $1 == (isNext ? c : b) }
        counts.forgetStale()
        #expect(counts.count(in: "room").present == (isNext ? 2 : 1))
    }

    @Test("where the home is gone, the next one may have said already how many are there")
    func next() {
        counts.set(PresenceCount(present: 1), in: "room", from: b)
        counts.set(PresenceCount(present: 2), in: "room", from: c, isStale: true)
        counts.forget { $0 == b }
        _ = counts.review { $1 == c }
        counts.forgetStale()
        #expect(counts.count(in: "room").present == 2)
    }

    @Test("what the home says late leaves what the next one has said already", arguments: [0, 3])
    func speaksAgain(late: Int) {
        for source in [b, nil] {
            counts.set(PresenceCount(present: 1), in: "room", from: source)
            counts.set(PresenceCount(present: 2), in: "room", from: c, isStale: true)
            let (isOther, isOtherAgain) = (
                counts.set(PresenceCount(present: late), in: "room", from: source),
                counts.set(PresenceCount(present: late), in: "room", from: source)
            )
            #expect(isOther && !isOtherAgain)
            #expect(counts.count(in: "room").present == late)
            _ = counts.review { $1 == c }
            counts.forgetStale()
            #expect(counts.count(in: "room").present == 2)
            counts.forget { $0 == c }
        }
    }

    @Test("what a next home has said that is gone is never counted") func nextIsGone() {
        counts.set(PresenceCount(present: 1), in: "room", from: b)
        counts.set(PresenceCount(present: 2), in: "room", from: c, isStale: true)
        counts.forget { $0 == c }
        _ = counts.review { $1 == c }
        #expect(counts.count(in: "room").present == 1)
    }
}
