import Testing

@testable import Hub

/// What is told to operators: the tables of the documents hold what the program has, and nothing else.
@Suite("The operator's reference") struct OperatingReferenceTests {
    private static let operating = "Sources/Hub/Hub.docc/Operating.md"

    @Test("Operating.md has the row of each metric, as /metrics tells it")
    func metrics() throws {
        let clock = HubClock(SystemTime(), startingAt: 0, logger: .init(label: "metrics"))
        let told = Metrics(counters: [HubCounters()], clock: clock).figures.map(\.metric)
        let rows = told.map { ["`flipside_\($0.name)`", $0.kind.rawValue, $0.help] }
        expectTable(Self.operating, "## Metrics", has: rows)
        #expect(Set(told.map(\.name)).count == told.count, "two metrics have one name")
    }
}

/// Records each row that the table lacks as it should stand there, and each that it should not have.
func expectTable(_ file: String, _ heading: String, has rows: [[String]]) {
    do {
        let found = try Project.table(in: file, under: heading)
        for row in rows where !found.contains(row) {
            Issue.record("\(file), \(heading), lacks: | \(row.joined(separator: " | ")) |")
        }
        for row in found where !rows.contains(row) {
            Issue.record("\(file), \(heading), has too much: | \(row.joined(separator: " | ")) |")
        }
    } catch { Issue.record(error) }
}
