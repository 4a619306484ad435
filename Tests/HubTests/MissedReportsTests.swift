import Games
import Testing

@testable import Hub

@Suite("Several nodes: what no home has heard of") struct MissedReportsTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let noted: [AttendanceReport]
        let told: [AttendanceReport]
    }

    private static func came(_ player: PlayerID) -> AttendanceReport { .came(player, name: "name of \(player)") }
    private static func visit(_ player: PlayerID) -> [AttendanceReport] { [came(player), .went(player)] }
    private static func players(_ count: Int) -> [PlayerID] { (0..<count).map { "player-\($0)" } }

    @Test(
        "what counts though it is over is told, each once",
        arguments: [
            Case(testDescription: "a visit", noted: [came("a"), .greeted("a")], told: visit("a") + [.greeted("a")]),
            Case(
                testDescription: "a visit that is over", noted: [.opened, came("a"), .went("a"), .closed],
                told: visit("a")),
            Case(
                testDescription: "several visits", noted: [came("a"), came("b"), .went("a"), came("a")],
                told: visit("a") + visit("b")),
            Case(
                testDescription: "several lines of chat", noted: [.spoke("a"), .spoke("b"), .spoke("a")],
                told: [.spoke("a"), .spoke("b")]),
            Case(testDescription: "who is there now is told otherwise", noted: [.opened, .watching(3)], told: []),
            Case(
                testDescription: "as many visits as are kept", noted: players(MissedReports.limit).map(came),
                told: players(MissedReports.limit).flatMap(visit)),
            Case(
                testDescription: "one more", noted: players(MissedReports.limit + 1).map(came),
                told: players(MissedReports.limit).flatMap(visit)),
            Case(
                testDescription: "who is back behind many who came",
                noted: players(MissedReports.limit + 1).map(came) + [.greeted("back"), .spoke("back")],
                told: players(MissedReports.limit).flatMap(visit) + [.greeted("back"), .spoke("back")]),
            Case(
                testDescription: "more who are back than are kept",
                noted: players(MissedReports.limit + 1).map { .greeted($0) },
                told: players(MissedReports.limit).map { .greeted($0) }),
        ])
    func tells(_ one: Case) {
        var missed = MissedReports()
        for report in one.noted { missed.note(report) }
        let told = missed.take()
        #expect(told == one.told)
        let again = missed.take()
        #expect(again.isEmpty)
    }
}
