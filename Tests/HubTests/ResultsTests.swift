import Cryptography
import Games
import Testing

@testable import Hub

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

    @Test("every query gives all that it asks for in its order, page by page", arguments: RowEngine.allCases, queries)
    func pages(_ engine: RowEngine, _ query: ResultsQuery) throws {
        let rows = try engine.open()
        rows.models.write(Self.rows.map(\.change))
        // One that comes again takes the place of the one before.
        let last = Dictionary(Self.rows.map { ("\($0.room)/\($0.number)/\($0.seat)", $0) }) { $1 }.values
        let expected = last.filter { query.includes($0) }.sorted { query.isBefore($0, $1) }
        var found: [ResultRow] = []
        while true {
            let next = ResultsQuery(
                game: query.game, mode: query.mode, order: query.order, span: query.span, after: found.last,
                limit: query.limit)
            let page = try rows.find(.results(next))
            found += page
            if page.count < query.limit { break }
        }
        #expect(found == expected)
        if query.span == .all { #expect(found.count > 7) }
    }
}

// What a query means, said another way than the read model does.
extension ResultsQuery {
    fileprivate func includes(_ row: ResultRow) -> Bool {
        guard game == nil || row.game == game, mode == nil || row.mode == mode else { return false }
        guard order == .recent || row.kind == .finished else { return false }
        // Times of these rows are positive; 1970-01-01 was a Thursday.
        let day: Milliseconds = 86_400_000
        return switch span {
        case .all: true
        case .day(let time): row.at / day == time / day
        case .week(let time): (row.at / day + 3) / 7 == (time / day + 3) / 7
        }
    }

    fileprivate func isBefore(_ first: ResultRow, _ second: ResultRow) -> Bool {
        switch order {
        case .recent: return second.place < first.place
        case .best:
            let (ranks, others) = (first.rank, second.rank)
            return ranks == others ? first.place < second.place : ranks < others
        }
    }
}

extension ResultRow {
    /// What makes one better than another: the less, the better.
    fileprivate var rank: (Int, Int, Int) { (-score, turns, time) }
    /// When it was, and what tells those of the same moment apart.
    fileprivate var place: (Int, String, Int, Int) { (at, room, number, seat) }
}
