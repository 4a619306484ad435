import Games
import Testing

@testable import RoomRules

@Suite("Outages: time that rooms missed") struct OutageTests {
    static let here = Outage.Loop(index: shardIndex(ofRoom: "k3m7pq", count: 2), count: 2)
    static let elsewhere = Outage.Loop(index: 1 - here.index, count: 2)

    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let outages: [Outage]
        let since: Milliseconds
        let span: Milliseconds
        let until: Milliseconds

        init(_ name: String, _ outages: [Outage], since: Int = 0, span: Int, until: Int) {
            (testDescription, self.outages, self.since, self.span, self.until) = (name, outages, since, span, until)
        }
    }

    @Test(
        "time counts once, and only for the room's own loop",
        arguments: [
            Case("none", [], span: 0, until: 0),
            Case("one", [Outage(from: 10, until: 30)], span: 20, until: 30),
            Case("one that is over", [Outage(from: 10, until: 30)], since: 30, span: 0, until: 0),
            Case("one that is under way", [Outage(from: 10, until: 30)], since: 25, span: 5, until: 30),
            Case("two", [Outage(from: 40, until: 50), Outage(from: 10, until: 30)], span: 30, until: 50),
            Case("two that overlap", [Outage(from: 10, until: 30), Outage(from: 20, until: 35)], span: 25, until: 35),
            Case(
                "one within another", [Outage(from: 10, until: 30), Outage(from: 15, until: 20)], span: 20, until: 30),
            Case("its loop's", [Outage(from: 10, until: 30, loop: here)], span: 20, until: 30),
            Case("another loop's", [Outage(from: 10, until: 30, loop: elsewhere)], span: 0, until: 0),
            Case(
                "both",
                [Outage(from: 10, until: 30, loop: elsewhere), Outage(from: 20, until: 25)], span: 5, until: 25),
        ])
    func missed(row: Case) {
        let missed = Outages(row.outages).missed(by: "k3m7pq", since: row.since)
        #expect(missed?.span ?? 0 == row.span)
        #expect(missed?.until ?? 0 == row.until)
    }
}
