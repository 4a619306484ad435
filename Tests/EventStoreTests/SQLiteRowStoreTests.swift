import Foundation
import Testing

@testable import EventStore

@Suite("SQLite: the file of rows") struct SQLiteRowStoreTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path + "/read-models.sqlite" }

    private func open() throws -> SQLiteRowStore {
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        return try SQLiteRowStore(folder: folder.path, layout: .test)
    }

    private func position() throws -> Int {
        let rows = try open()
        defer { rows.close() }
        return try rows.answer().position
    }

    private func reach(_ position: Int) throws {
        let rows = try open()
        rows.apply([.put(box("red"), into: .boxes)], reached: position)
        rows.close()
    }

    @Test("what was applied is there when it is opened again") func keeps() throws {
        try reach(7)
        #expect(try position() == 7)
    }

    @Test(
        "a file that is damaged or of another layout is dropped and begun anew",
        arguments: ["cut", "garbage", "a later layout", "an earlier layout", "without a table"])
    func drops(damage: String) throws {
        try reach(7)
        switch damage {
        case "cut": #expect(truncate(path, 5_000) == 0)
        case "garbage": try Data(repeating: 5, count: 10_000).write(to: URL(fileURLWithPath: path))
        case "a later layout": try Database(path: path, access: .readWrite).execute("PRAGMA user_version = 99")
        case "an earlier layout": try Database(path: path, access: .readWrite).execute("PRAGMA user_version = 4")
        default: try Database(path: path, access: .readWrite).execute("DROP TABLE boxes")
        }
        #expect(try position() == 0)
        try reach(8)
        #expect(try position() == 8)
    }

    @Test(
        "rows in other tables, or of another meaning, are dropped",
        arguments: [
            RowLayout(meaning: 6, tables: [.boxes, .marks]), RowLayout(meaning: 5, tables: [.marks]),
            RowLayout(
                meaning: 5,
                tables: [
                    RowTable(
                        "boxes", columns: RowTable.boxes.columns, key: ["code"], version: "version",
                        indexes: RowTable.boxes.indexes + [RowIndex("version", ["version"])]), .marks,
                ]),
        ])
    func dropsOthers(layout: RowLayout) throws {
        try reach(7)
        let others = try SQLiteRowStore(folder: folder.path, layout: layout)
        defer { others.close() }
        #expect(try others.answer().position == 0)
    }

    @Test("what was erased is nowhere in the files, what was deleted in the journal until that is written over")
    func overwritesErased() throws {
        let rows = try open()
        let name = Array("Grace-Hopper".utf8)
        func traces() -> Int {
            ["", "-wal"].count { end in
                guard let bytes = FileManager.default.contents(atPath: path + end) else { return false }
                return String(decoding: bytes, as: UTF8.self).contains("Grace-Hopper")
            }
        }
        rows.apply([.put(box("1", note: name), into: .boxes)], reached: 1)
        #expect(try rows.answer().position == 1)
        #expect(traces() > 0)
        rows.apply([.delete(from: .boxes, by: "note", equal: [.bytes(name)])], reached: 2)
        #expect(try rows.answer().position == 2)
        #expect(traces() > 0)
        rows.apply([.erase(from: .boxes, by: "note", equal: [.bytes(name)])], reached: 3)
        rows.close()
        #expect(traces() == 0)
    }

    @Test("a closed one fails every question") func failsOnceClosed() throws {
        let rows = try open()
        rows.close()
        #expect(throws: EventLogError.closed) { try rows.answer() }
    }
}
