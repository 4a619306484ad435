import Foundation
import Records
import Testing

@testable import EventStore

@Suite("SQLite: erased data that a reader keeps in the files") struct SQLiteReaderTests {
    private let folder = TemporaryFolder()
    private let killed = TemporaryFolder()

    private func isNameThere(in folder: TemporaryFolder) -> Bool {
        folder.traces(of: "grace-hopper", in: "log.sqlite") > 0
    }

    /// A log with a name in it that is erased while `reader` is in the way.
    private func erase(while reader: (Database) throws -> Void) throws -> Desk {
        let desk = Desk(try SQLiteLog(folder: folder.path, options: .init(checkInterval: .milliseconds(5))))
        let name = StreamName.name("grace-hopper")
        let secret = Event(time: 0, type: "registered", shown: Array("{\"name\":\"Grace-Hopper\"}".utf8))
        _ = try desk.append(Draft(id: "1", events: [secret]), to: name, expecting: 0)
        let database = try Database(path: LogFile(folder: folder.path).path, access: .readOnly)
        try database.execute("BEGIN; SELECT count(*) FROM records")
        _ = try desk.erase(name)
        #expect(isNameThere(in: folder))
        try reader(database)
        return desk
    }

    @Test("an erased name leaves the files once the reader has gone, even if nothing more is written")
    func leavesBehindReader() throws {
        let desk = try erase { try $0.execute("COMMIT") }
        // Reading takes a moment, in which the log checks its files.
        for _ in 0..<2_000 where isNameThere(in: folder) { _ = try desk.everything() }
        #expect(!isNameThere(in: folder))
        desk.log.close()
    }

    @Test("an erased name that a killed hub left in the files is removed when the log is opened")
    func leavesAfterKill() throws {
        let desk = try erase { _ in try FileManager.default.copyItem(atPath: folder.path, toPath: killed.path) }
        desk.log.close()
        #expect(isNameThere(in: killed))
        let log = try SQLiteLog(folder: killed.path)
        #expect(!isNameThere(in: killed))
        log.close()
    }
}
