import JSON
import Testing

@testable import Hub
@testable import Rooms
@testable import Transport
@testable import WebProtocols
@testable import flipside

/// The tables of `Running.md` list what the program has, and nothing else.
@Suite("The reference for operators") struct RunningReferenceTests {
    private static let running = "Sources/Hub/Hub.docc/Running.md"
    private static let fixedLimits = "### Fixed limits"
    private static let countedLimits = "### Counted limits"

    @Test("Running.md has a row for each metric, as /metrics shows it")
    func metrics() throws {
        let clock = HubClock(SystemTime(), startingAt: 0, logger: .init(label: "metrics"))
        let told = Metrics(counters: [HubCounters()], clock: clock).figures.map(\.metric)
        let rows = told.map { ["`\($0.name)`" + ($0.label.map { " by `\($0)`" } ?? ""), $0.kind.rawValue, $0.help] }
        expectTable(Self.running, "### Metrics", has: rows)
        #expect(Set(told.map(\.name)).count == told.count, "two metrics have one name")
    }

    @Test("each limit that is counted is an option of its name, a fixed limit, or has a row")
    func countedLimits() throws {
        let elsewhere = try Project.table(in: Self.running, under: Self.fixedLimits).compactMap { row in
            row[0].firstMatch(of: /(\w+)`$/).map { String($0.output.1).inKebabCase }
        }
        let rows = try Project.table(in: Self.running, under: Self.countedLimits).map { $0[0] }
        let counted = HubLimit.allCases.map(\.rawValue) + TransportLimit.allCases.map(\.rawValue)
        for name in counted where !ServeOption.all.contains(where: { $0.name == name }) && !elsewhere.contains(name) {
            #expect(rows.contains("`\(name)`"), "Running.md lacks the row of the limit `\(name)`")
        }
        #expect(rows.allSatisfy { row in counted.contains { "`\($0)`" == row } })
        #expect(Set(counted).count == counted.count, "two limits have one name")
    }

    @Test("each limit that is counted is as large as the page says")
    func amounts() throws {
        let transport = TransportOptions(addresses: [])
        let amounts: [String: Int] = [
            "handshake-time": milliseconds(transport.handshakeTime), "head-time": milliseconds(transport.headTime),
            "head-size": HTTPLimits().headBytes, "body-size": HTTPLimits().bodyBytes,
            "message-size": MessageLimits().messageBytes, "silence": milliseconds(transport.silenceLimit),
            "send-queue": transport.queueLimitBytes, "pongs": TransportOptions.pongLimit,
            "linger-size": TransportOptions.lingerBytes, "hello-time": Member.helloLimit,
            "values": JSONReader.clientValueLimit, "waiting-commands": RequestQueue.limit,
            "room-readings": RoomReader.waitingLimit, "owed-answers": Member.owedLimit,
            "behind-time": Member.behindLimit,
        ]
        for row in try Project.table(in: Self.running, under: Self.countedLimits) {
            let written = Int(row[1].replacing(",", with: "").replacing(" ms", with: ""))
            #expect(written == amounts[row[0].replacing("`", with: "")], "\(row)")
        }
    }

    @Test("each limit of the transport is an option, is counted, or has a row of its own")
    func connections() throws {
        let counted = ["connectionLimit": "connections", "queueLimitBytes": "send-queue", "silenceLimit": "silence"]
        let limits = ServeOption.all.map(\.name) + TransportLimit.allCases.map(\.rawValue)
        var wanted: [[String]] = []
        for limit in Mirror(reflecting: TransportOptions(addresses: [])).children {
            guard let name = limit.label, !limits.contains(counted[name] ?? name.inKebabCase) else { continue }
            if let span = limit.value as? Duration { wanted.append(["`\(name)`", "\(milliseconds(span)) ms"]) }
            if let count = limit.value as? Int { wanted.append(["`\(name)`", "\(count)"]) }
        }
        wanted.append(["`refusalLimit`", "\(TransportOptions.refusalLimit)"])
        wanted.append(["`violationPause`", "\(TransportOptions.violationPause) ms"])
        let rows = try Project.table(in: Self.running, under: "### Limits of connections")
        #expect(rows.map { [$0[0], $0[1].replacing(",", with: "")] } == wanted)
    }

    private func milliseconds(_ span: Duration) -> Int { Int(span / .milliseconds(1)) }

    @Test("Running.md has a row for each option of serve, with its default")
    func options() throws {
        let rows = try Project.tables(in: Self.running, under: "## Options").flatMap { $0 }
        let name = /`--(?<name>[a-z-]+)/
        var documented: [String: String] = [:]
        for row in rows {
            for match in row[0].matches(of: name) { documented[String(match.output.name)] = row[1] }
        }
        for option in ServeOption.all {
            // Numbers are easier to read with a comma between thousands.
            let written = documented[option.name]
            let number = written.flatMap { Int($0.replacing(",", with: "")) }.map { String($0) }
            #expect(number ?? written == option.standard ?? "", "the row of --\(option.name)")
        }
        #expect(Set(documented.keys).subtracting(ServeOption.all.map(\.name)).isEmpty, "Running.md has other options")
    }

    @Test("each limit of a hub is an option of its name, or Running.md has its row")
    func limits() throws {
        let rows = try Project.table(in: Self.running, under: Self.fixedLimits)
        // Numbers are easier to read with a comma between thousands; times are in ms.
        let fixed = rows.map { [$0[0], $0[1].replacing(",", with: "").replacing(" ms", with: "")] }
        var wanted: [[String]] = []
        for limit in Mirror(reflecting: HubLimits()).children {
            let name = try #require(limit.label)
            let option = name.inKebabCase
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

extension String {
    /// `refusalsPerSecond` as `refusals-per-second`.
    fileprivate var inKebabCase: String { replacing(/[A-Z]/) { "-" + $0.output.lowercased() } }
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
