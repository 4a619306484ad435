import Cryptography
import Foundation
import Testing

@testable import EventStore

extension RowTable {
    /// Boxes in rooms: one column of each kind, one order in both directions and one in a single direction.
    static let boxes = RowTable(
        "boxes",
        columns: [.text("code"), .integer("version"), .text("group"), .optionalInteger("size"), .bytes("note")],
        key: ["code"], version: "version",
        indexes: [
            RowIndex("size", ["size"]), RowIndex("group", ["group", .descending("size")]),
            RowIndex("note", ["note"]), RowIndex("group and version", ["group", "version"]),
        ])
    /// The same with another index.
    static let boxesByVersion = RowTable(
        "boxes", columns: boxes.columns, key: ["code"], version: "version",
        indexes: boxes.indexes + [RowIndex("version", ["version"])])
    /// Without versions, and with a key of two columns.
    static let marks = RowTable(
        "order", columns: [.integer("from"), .integer("to"), .text("select")], key: ["from", "to"],
        indexes: [RowIndex("where", ["select", "to"])])
}

extension RowLayout {
    static let test = RowLayout(meaning: 5, tables: [.boxes, .marks])
}

/// A row of `RowTable.boxes`.
func box(_ code: String, version: Int = 1, group: String = "a", size: Int? = nil, note: [UInt8] = []) -> [RowValue] {
    [.text(code), .integer(version), .text(group), size.map { .integer($0) } ?? .null, .bytes(note)]
}

extension RowStore {
    fileprivate func put(_ rows: [RowValue]..., into table: RowTable = .boxes) {
        apply(rows.map { .put($0, into: table) }, reached: nil)
    }

    fileprivate func codes(_ query: RowQuery) throws -> [String] { try answer([query]).rows.map(\.[0].text) }
}

@Suite("Every engine: rows") struct RowStoreContractTests {
    @Test("the position is the last one reached, and rows alone do not change it", arguments: Engine.all)
    func keepsPosition(engine: Engine) throws {
        let store = try engine.openRows(Place(), .test)
        #expect(try store.answer().position == 0)
        store.apply([.put(box("red"), into: .boxes)], reached: 7)
        #expect(try store.answer().position == 7)
        store.put(box("blue"))
        #expect(try store.answer().position == 7)
        store.apply([], reached: 9)
        #expect(try store.answer().position == 9)
    }

    @Test("rows survive reopening, next to a log, and a closed store fails every question", arguments: Engine.lasting)
    func keepsRows(engine: Engine) throws {
        let place = Place()
        let (desk, store) = (Desk(try engine.open(place)), try engine.openRows(place, .test))
        store.apply([.put(box("red"), into: .boxes)], reached: 7)
        store.close()
        #expect(throws: EventLogError.closed) { try store.answer() }
        try desk.fill(.red, to: 1)
        let again = try engine.openRows(place, .test)
        let boxes = RowQuery(.boxes, by: "group", limit: 9)
        #expect(try again.answer([boxes]) == RowAnswer(rows: [box("red")], position: 7))
    }

    @Test(
        "rows in other tables, or of another meaning, are dropped, and the log stays", arguments: Engine.lasting,
        [
            RowLayout(meaning: 6, tables: [.boxes, .marks]), RowLayout(meaning: 5, tables: [.marks]),
            RowLayout(meaning: 5, tables: [.boxesByVersion, .marks]),
        ])
    func dropsOthers(engine: Engine, layout: RowLayout) throws {
        let place = Place()
        let (desk, store) = (Desk(try engine.open(place)), try engine.openRows(place, .test))
        try desk.fill(.red, to: 1)
        store.apply([.put(box("red"), into: .boxes)], reached: 7)
        store.close()
        let others = try engine.openRows(place, layout)
        #expect(try others.answer().position == 0)
        others.close()
        let again = try engine.openRows(place, .test)
        #expect(try again.answer([RowQuery(.boxes, by: "group", limit: 9)]) == RowAnswer(rows: [], position: 0))
        #expect(try desk.load(.red).get().count == 1)
    }

    @Test("rows are found as they were put, in the order of the queries", arguments: Engine.all)
    func findsRows(engine: Engine) throws {
        let store = try engine.openRows(Place(), .test)
        let rows = [
            box("Bøb", version: -3, group: "", size: .min, note: [1, 0, 255]), box("ada", group: "é", size: .max),
        ]
        store.apply(rows.map { .put($0, into: .boxes) }, reached: 2)
        let queries = ["é", "nothing", ""].map { RowQuery(.boxes, by: "group", equal: [.text($0)], limit: 1) }
        #expect(try store.answer(queries) == RowAnswer(rows: [rows[1], rows[0]], position: 2))
        #expect(try store.answer([]).rows == [])
    }

    @Test(
        "a row is replaced unless it has a later version", arguments: Engine.all,
        [(version: 4, replaced: false), (5, true), (6, true)])
    func replaces(engine: Engine, row: (version: Int, replaced: Bool)) throws {
        let store = try engine.openRows(Place(), .test)
        let old = box("red", version: 5, group: "a", size: 1)
        let new = box("red", version: row.version, group: "b", note: [7])
        store.put(old)
        store.put(new)
        let queries = ["a", "b"].map { RowQuery(.boxes, by: "group", equal: [.text($0)], limit: 9) }
        #expect(try store.answer(queries).rows == [row.replaced ? new : old])
    }

    @Test("a noted row is stored unless a later one exists, and does not change the position", arguments: Engine.all)
    func notes(engine: Engine) throws {
        let store = try engine.openRows(Place(), .test)
        store.apply([.put(box("red", version: 2), into: .boxes)], reached: 7)
        store.noteRow(box("blue", version: 2), in: .boxes)
        store.noteRow(box("red", version: 1, size: 1), in: .boxes)
        store.noteRow(box("blue", version: 3, size: 2), in: .boxes)
        let answer = try store.answer([RowQuery(.boxes, by: "size", limit: 9)])
        #expect(answer == RowAnswer(rows: [box("red", version: 2), box("blue", version: 3, size: 2)], position: 7))
    }

    @Test("without versions the later row stays, and the key is all of its columns", arguments: Engine.all)
    func replacesAlways(engine: Engine) throws {
        let store = try engine.openRows(Place(), .test)
        func mark(_ from: Int, _ to: Int, _ text: String) -> [RowValue] { [.integer(from), .integer(to), .text(text)] }
        store.put(mark(1, 1, "a"), mark(1, 2, "a"), mark(2, 1, "a"), mark(1, 1, "b"), into: .marks)
        let queries = ["a", "b"].map { RowQuery(.marks, by: "where", equal: [.text($0)], limit: 9) }
        #expect(try store.answer(queries).rows == [mark(2, 1, "a"), mark(1, 2, "a"), mark(1, 1, "b")])
    }

    @Test("deleted and erased rows are gone, and their keys may be used again", arguments: Engine.all, [false, true])
    func deletes(engine: Engine, erases: Bool) throws {
        let store = try engine.openRows(Place(), .test)
        let note = [RowValue.bytes([1])]
        let erasure: RowChange =
            erases ? .erase(from: .boxes, by: "note", equal: note) : .delete(from: .boxes, by: "note", equal: note)
        let first = RowChange.put(box("ada", version: 3, note: [1]), into: .boxes)
        store.apply([.put(box("bob", note: [2]), into: .boxes), first, erasure], reached: nil)
        let all = RowQuery(.boxes, by: "group", equal: [.text("a")], limit: 9)
        #expect(try store.codes(all) == ["bob"])
        store.apply([.put(box("ada", note: [3]), into: .boxes), erasure], reached: nil)
        #expect(try store.codes(all) == ["ada", "bob"])
    }

    @Test("a range includes its first number, excludes its last, and never contains null", arguments: Engine.all)
    func findsRange(engine: Engine) throws {
        let store = try engine.openRows(Place(), .test)
        store.put(box("late", size: 30), box("never"), box("early", size: 10), box("mid", size: 20))
        func sizes(_ range: Range<Int>, limit: Int = 9) throws -> [String] {
            try store.codes(RowQuery(.boxes, by: "size", in: range, limit: limit))
        }
        #expect(try sizes(.min..<20) == ["early"])
        #expect(try sizes(.min..<21) == ["early", "mid"])
        #expect(try sizes(20..<30) == ["mid"])
        #expect(try sizes(.min..<(.max), limit: 2) == ["early", "mid"])
        #expect(try sizes(30..<30) == [])
    }

    @Test("rows come in the order of the index, equal ones by their key", arguments: Engine.all)
    func orders(engine: Engine) throws {
        let store = try engine.openRows(Place(), .test)
        store.put(
            box("b", size: 2), box("a", size: 2), box("none"), box("c", size: 9), box("other", group: "b", size: 5))
        func codes(isBackwards: Bool) throws -> [String] {
            try store.codes(
                RowQuery(.boxes, by: "group", equal: [.text("a")], isBackwards: isBackwards, limit: 9))
        }
        #expect(try codes(isBackwards: false) == ["c", "a", "b", "none"])
        #expect(try codes(isBackwards: true) == ["none", "b", "a", "c"])
    }

    @Test("many rows keep their order while some come, change and go", arguments: Engine.all)
    func keepsOrderOfMany(engine: Engine) throws {
        let store = try engine.openRows(Place(), .test)
        var sizes: [Int: Int] = [:]
        func put(_ number: Int, size: Int) {
            sizes[number] = size
            store.put(box("\(number)", size: size, note: [UInt8(number % 7)]))
        }
        // 211 and 500 have no common divisor: every number below 500 once, shuffled.
        for step in 0..<500 { put(step, size: step * 211 % 500) }
        store.apply([.delete(from: .boxes, by: "note", equal: [.bytes([3])])], reached: nil)
        for number in 0..<500 where number % 7 == 3 { sizes[number] = nil }
        for number in stride(from: 0, to: 500, by: 5) { put(number, size: 500 + number * 211 % 500) }
        for number in 500..<700 { put(number, size: number * 211 % 700) }
        // Rows with equal values are in the order of their codes.
        let expected = sizes.sorted { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }.map { "\($0.key)" }
        func codes(in range: Range<Int>, isBackwards: Bool) throws -> [String] {
            try store.codes(RowQuery(.boxes, by: "size", in: range, isBackwards: isBackwards, limit: 1_000))
        }
        #expect(try codes(in: .min..<(.max), isBackwards: false) == expected)
        #expect(try codes(in: .min..<(.max), isBackwards: true) == expected.reversed())
        let middle = expected.filter { Int($0).flatMap { sizes[$0] }.map { (200..<450).contains($0) } ?? false }
        #expect(try codes(in: 200..<450, isBackwards: false) == middle)
        #expect(try codes(in: 200..<450, isBackwards: true) == middle.reversed())
    }

    @Test(
        "pages follow one another without gaps or repeats", arguments: Engine.all,
        [(false, nil), (true, nil), (false, 2..<4), (true, 2..<4)] as [(Bool, Range<Int>?)])
    func pages(engine: Engine, asked: (isBackwards: Bool, range: Range<Int>?)) throws {
        let store = try engine.openRows(Place(), .test)
        // Many with equal values. Upper case, lower case and accents in codes are ordered by bytes.
        let codes = ["é", "Z", "a", "b", "ä", "10", "9"]
        for (index, code) in codes.enumerated() { store.put(box(code, version: index % 3 + 1)) }
        let expected = codes.enumerated().map { (version: $0.offset % 3 + 1, code: $0.element) }
            .filter { row in asked.range.map { $0.contains(row.version) } ?? true }
            .sorted { ($0.version, Array($0.code.utf8).hex) < ($1.version, Array($1.code.utf8).hex) }.map(\.code)
        var found: [[RowValue]] = []
        while true {
            let page = try store.answer([
                RowQuery(
                    .boxes, by: "group and version", equal: [.text("a")], in: asked.range,
                    isBackwards: asked.isBackwards, after: found.last, limit: 2)
            ]).rows
            found += page
            if page.count < 2 { break }
        }
        #expect(found.map(\.[0].text) == (asked.isBackwards ? expected.reversed() : expected))
    }

    @Test("no query along an index sorts, or walks past rows that it does not return", arguments: RowTable.testIndexes)
    func plan(table: RowTable, index: String) throws {
        let database = try Database(path: ":memory:", access: .readWrite)
        try database.execute(RowLayout.test.sql)
        for query in RowQuery.all(of: table, by: index) {
            let steps = try database.plan(of: query)
            #expect(steps.count == 1 && steps[0].contains("INDEX \(table.name) by \(index)"), "\(steps)")
        }
    }
}

extension RowTable {
    /// For tests of how queries are done.
    static let testIndexes = [boxes, marks].flatMap { table in table.indexes.map { (table, $0.name) } }
}

extension RowQuery {
    /// One of each kind along an index.
    static func all(of table: RowTable, by index: String) -> [RowQuery] {
        let whole = RowQuery(table, by: index, limit: 7)
        let row = table.columns.map { $0.kind == .integer ? RowValue.integer(1) : .text("a") }
        return [false, true].flatMap { isBackwards in
            whole.order.enumerated().flatMap { place, part in
                let equal = whole.order.prefix(place).map { row[table.place(of: $0.column)] }
                let isNumber = table.columns[table.place(of: part.column)].kind == .integer
                let isOneWay = Set(whole.order.dropFirst(place).map(\.isDescending)).count == 1
                return [nil, isNumber ? 1..<9 : nil].flatMap { range in
                    [nil, isOneWay ? row : nil].map { after in
                        RowQuery(
                            table, by: index, equal: equal, in: range, isBackwards: isBackwards, after: after, limit: 7)
                    }
                }
            }
        }
    }
}
