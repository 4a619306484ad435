import Testing

@testable import Hub
@testable import flipside

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

    @Test("README has the row of each option of serve, with its default")
    func options() throws {
        let rows = try Project.table(in: "README.md", under: "## Running it")
        let name = /`--(?<name>[a-z-]+)/
        var documented: [String: String] = [:]
        for row in rows {
            for match in row[0].matches(of: name) { documented[String(match.output.name)] = row[1] }
        }
        for option in ServeOption.all {
            // Numbers are easier to read with a comma between thousands.
            let written = documented[option.name]
            let number = written.flatMap { Int($0.replacing(",", with: "")) }.map { String($0) }
            #expect(number ?? written == option.standard ?? "", "README's row of --\(option.name)")
        }
        #expect(Set(documented.keys).subtracting(ServeOption.all.map(\.name)).isEmpty, "README has other options")
    }

    @Test("each limit of a hub is an option of its name, or Operating.md has its row")
    func limits() throws {
        let rows = try Project.table(in: Self.operating, under: "## Limits that no option changes")
        // Numbers are easier to read with a comma between thousands; times are in ms.
        let fixed = rows.map { [$0[0], $0[1].replacing(",", with: "").replacing(" ms", with: "")] }
        var wanted: [[String]] = []
        for limit in Mirror(reflecting: HubLimits()).children {
            let name = try #require(limit.label)
            let option = name.replacing(/[A-Z]/) { "-" + $0.output.lowercased() }
            if !ServeOption.all.contains(where: { $0.name == option }) {
                wanted.append(["`\(name)`", "\(limit.value)"])
            }
        }
        wanted += [
            ["`Account.deviceLimit`", "\(Account.deviceLimit)"],
            ["`Account.changesPerDay`", "\(Account.changesPerDay)"],
            ["`AccountCommand.linkSpan`", "\(AccountCommand.linkSpan)"],
            ["`AccountDesk.attemptLimit`", "\(AccountDesk.attemptLimit)"],
        ]
        #expect(fixed == wanted)
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
