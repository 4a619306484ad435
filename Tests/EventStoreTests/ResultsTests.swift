import Cryptography
import Foundation
import Testing

@testable import EventStore

@Suite("Results, on every engine") struct ResultsTests {
    /// Rows that differ in everything, many of them equal in what they are ranked by.
    private static let rows: [ResultRow] = (0..<400).map { index in
        let bytes = SHA256.digest(of: "row \(index)").bytes.map(Int.init)
        return ResultRow(
            room: "room\(bytes[0] % 40)", number: bytes[1] % 5, seat: bytes[2] % 4, game: bytes[3] % 3 == 0 ? "a" : "b",
            mode: "m\(bytes[4] % 3)", player: "p\(bytes[5] % 20)", score: bytes[6] % 4 - 1, turns: bytes[7] % 3,
            time: bytes[8] % 3, at: 1_700_000_000_000 + (bytes[9] % 24) * 43_200_000,
            kind: ResultRow.Kind.allCases[bytes[10] % 3])
    }

    private static let queries: [ResultsQuery] = {
        let spans: [ResultsQuery.Span] = [.all, .day(of: 1_700_200_000_000), .week(of: 1_700_200_000_000)]
        var queries: [ResultsQuery] = []
        for span in spans {
            for (game, mode) in [("a", "m0"), ("b", "m1"), ("a", nil), (nil, nil)] as [(String?, String?)] {
                queries.append(
                    ResultsQuery(game: game, mode: mode, order: .recent, span: span, after: nil, limit: 7))
                guard mode != nil else { continue }
                queries.append(ResultsQuery(game: game, mode: mode, order: .best, span: span, after: nil, limit: 7))
            }
        }
        return queries
    }()

    @Test("every query gives the same on disk and in memory, page by page", arguments: queries)
    func agree(_ query: ResultsQuery) throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let engines: [any Projections] = [InMemoryProjections(), try SQLiteProjections(folder: folder.path)]
        let pages = try engines.map { engine in
            engine.apply(Self.rows.map { .result($0) }, reached: nil)
            return try all(of: query, in: engine)
        }
        #expect(pages[0] == pages[1])
        #expect(pages[0].count == Set(pages[0].map { "\($0.room)/\($0.number)/\($0.seat)" }).count)
        #expect(pages[0].allSatisfy { query.includes($0) })
        if query.span == .all { #expect(pages[0].count > 7) }
    }

    private func all(of query: ResultsQuery, in engine: any Projections) throws -> [ResultRow] {
        var rows: [ResultRow] = []
        while true {
            let next = ResultsQuery(
                game: query.game, mode: query.mode, order: query.order, span: query.span, after: rows.last,
                limit: query.limit)
            let inbox = RecordingInbox()
            engine.results(next, ticket: 9, answer: inbox)
            let page = try inbox.wait { message -> Result<[ResultRow], EventLogError>? in
                if case .results(9, let result) = message { result } else { nil }
            }.get()
            rows += page
            if page.count < query.limit { return rows }
        }
    }

    @Test("no query sorts, or walks past what it does not give", arguments: queries)
    func plan(_ query: ResultsQuery) throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        let database = try Database(path: folder.path + "/plan.sqlite", access: .create, system: nil)
        try database.execute(ResultRows.schema)
        let last = ResultsQuery(
            game: query.game, mode: query.mode, order: query.order, span: query.span, after: Self.rows[0], limit: 7)
        for query in [query, last] {
            let (sql, _) = ResultRows.statement(query)
            let statement = try database.prepare("EXPLAIN QUERY PLAN " + sql)
            var steps: [String] = []
            while try statement.step() { steps.append(statement.text(3)) }
            #expect(steps.count == 1 && steps[0].contains("INDEX results_"), "\(steps)")
            #expect(!steps.joined().contains("TEMP B-TREE"), "\(steps)")
        }
    }
}
