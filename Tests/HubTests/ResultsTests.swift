import Cryptography
import Games
import Testing

@testable import Hub
@testable import RoomRules

@Suite("Results, on every engine") struct ResultsTests {
    /// Rows that differ in everything, many of them equal in their rank.
    private static let rows: [ResultRow] = (0..<400).map { index in
        let bytes = SHA256.digest(of: "row \(index)").bytes.map(Int.init)
        return ResultRow(
            room: "room\(bytes[0] % 40)", number: bytes[1] % 5, seat: bytes[2] % 4, game: bytes[3] % 3 == 0 ? "a" : "b",
            mode: "m\(bytes[4] % 3)", against: Opponents.allCases[bytes[11] % 3], player: "p\(bytes[5] % 20)",
            score: bytes[6] % 4 - 1, turns: bytes[7] % 3,
            time: bytes[8] % 3, at: 1_700_000_000_000 + (bytes[9] % 24) * 43_200_000,
            kind: ResultRow.Kind.allCases[bytes[10] % 3])
    }

    private static let lists: [(game: String?, mode: String?, against: Opponents?)] = [
        ("b", "m0", .people), ("b", "m1", .alone), ("b", "m1", .computers), ("a", "m0", nil), ("a", nil, nil),
        (nil, nil, nil),
    ]

    private static let queries: [ResultsQuery] = {
        let spans: [ResultsQuery.Span] = [.all, .day(of: 1_700_200_000_000), .week(of: 1_700_200_000_000)]
        var queries: [ResultsQuery] = []
        for span in spans {
            for (game, mode, against) in lists {
                let orders: [ResultsQuery.Order] = against == nil ? [.recent] : [.recent, .best]
                queries += orders.map {
                    ResultsQuery(
                        game: game, mode: mode, against: against, order: $0, span: span, after: nil, limit: 7)
                }
            }
        }
        return queries
    }()

    @Test("every query returns all its results in order, page by page", arguments: RowEngine.allCases, queries)
    func pages(_ engine: RowEngine, _ query: ResultsQuery) throws {
        let rows = try engine.open()
        rows.models.write(Self.rows.map(\.change))
        // A later one replaces the earlier one.
        let last = Dictionary(Self.rows.map { ("\($0.room)/\($0.number)/\($0.seat)", $0) }) { $1 }.values
        let expected = last.filter { query.includes($0) }.sorted { query.isBefore($0, $1) }
        var found: [ResultRow] = []
        while true {
            let next = ResultsQuery(
                game: query.game, mode: query.mode, against: query.against, order: query.order, span: query.span,
                after: found.last,
                limit: query.limit)
            let page = try rows.find(.results(next))
            found += page
            if page.count < query.limit { break }
        }
        #expect(found == expected)
        if query.span == .all { #expect(found.count > 7) }
    }

    @Test(
        "each player has a best result in a list of the best, and only better ones come before it",
        arguments: RowEngine.allCases, queries.filter { $0.order == .best })
    func own(_ engine: RowEngine, _ query: ResultsQuery) throws {
        let rows = try engine.open()
        rows.models.write(Self.rows.map(\.change))
        let list = try rows.find(.results(query.unlimited))
        for player in Set(Self.rows.map(\.player)) {
            let own = try rows.find(.best(of: player, in: query))
            #expect(own == Array(list.filter { $0.player == player }.prefix(1)))
            for row in own {
                let better = try rows.find(.better(than: row, in: query))
                #expect(better.reversed() == list.filter { $0.rank < row.rank })
            }
        }
    }
}

// The meaning of a query, expressed differently than in the read model.
extension ResultsQuery {
    fileprivate func includes(_ row: ResultRow) -> Bool {
        guard game == nil || row.game == game, mode == nil || row.mode == mode else { return false }
        guard against == nil || row.against == against else { return false }
        guard order == .recent || row.kind == .finished else { return false }
        // Times of these rows are positive; 1970-01-01 was a Thursday.
        let day: Milliseconds = 86_400_000
        return switch span {
        case .all: true
        case .day(let time): row.at / day == time / day
        case .week(let time): (row.at / day + 3) / 7 == (time / day + 3) / 7
        }
    }

    fileprivate var unlimited: ResultsQuery {
        ResultsQuery(game: game, mode: mode, against: against, order: order, span: span, after: nil, limit: 1_000)
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
    /// Lower is better.
    fileprivate var rank: (Int, Int, Int) { (-score, turns, time) }
    /// The time, and what distinguishes results of the same moment.
    fileprivate var place: (Int, String, Int, Int) { (at, room, number, seat) }
}
