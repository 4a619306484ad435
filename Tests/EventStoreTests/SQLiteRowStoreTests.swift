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

    @Test(
        "a file that is damaged or of another layout is dropped and created again",
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

    @Test("erased rows are nowhere in the files, and deleted ones only in the journal until it is overwritten")
    func overwritesErased() throws {
        let rows = try open()
        let name = Array("Grace-Hopper".utf8)
        func traces() -> Int { folder.traces(of: "grace-hopper", in: "read-models.sqlite") }
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

    /// Rows whose pages are overwritten while the store is open. Returns what it said about them.
    private func damaged() throws -> (rows: SQLiteRowStore, reason: String) {
        let rows = try open()
        // More than SQLite keeps in memory, and in the file itself.
        let note = [UInt8](repeating: 7, count: 2_000)
        for number in 0..<4_000 { rows.apply([.put(box("\(number)", note: note), into: .boxes)], reached: number) }
        _ = try rows.answer()
        try Database(path: path, access: .readWrite).checkpoint(isThorough: true)
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        let size = try file.seekToEnd()
        // All but the first, which identifies the file.
        try file.seek(toOffset: 4_096)
        try file.write(contentsOf: Data(repeating: 0xA5, count: Int(size) - 4_096))
        try file.close()
        #expect(throws: EventLogError.self) { try rows.answer([all]) }
        guard case .givenUp(.rowsFailed(let reason)) = rows.halt else { throw NothingCame(messages: []) }
        return (rows, reason)
    }

    private let all = RowQuery(.boxes, by: "note", limit: .max)

    @Test("rows found damaged during use are given up with the cause, and created again by the next begin")
    func makesAgain() throws {
        let (rows, reason) = try damaged()
        #expect(reason.contains("read-models.sqlite: ") && reason.contains("malformed"))
        // Until then nothing is answered or kept.
        rows.apply([.put(box("red"), into: .boxes)], reached: 5_000)
        #expect(throws: EventLogError.rowsFailed(reason: reason)) { try rows.answer() }
        #expect(try rows.begun() == RowAnswer(rows: [], position: 0) && !rows.isHalted)
        rows.apply([.put(box("blue"), into: .boxes)], reached: 3)
        #expect(try rows.answer([all]) == RowAnswer(rows: [box("blue")], position: 3))
        rows.close()
        #expect(try position() == 3)
    }

    @Test("if a file cannot be created again, the next begin retries it")
    func cannotBeMade() throws {
        let (rows, _) = try damaged()
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        #expect(throws: EventLogError.self) { try rows.begun() }
        #expect(rows.isHalted)
        try FileManager.default.removeItem(atPath: path)
        #expect(try rows.begun().position == 0 && !rows.isHalted)
    }
}
