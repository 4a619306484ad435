import Foundation
import Testing

@testable import EventStore

@Suite("SQLite: rights on the files") struct FileModeTests {
    private let folder = TemporaryFolder()

    private func mode(_ path: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test("only the owner may read each file, in any folder", arguments: [nil, 0o755, 0o777])
    func closesFiles(folderMode: Int?) throws {
        if let folderMode {
            try FileManager.default.createDirectory(
                atPath: folder.path, withIntermediateDirectories: true, attributes: [.posixPermissions: folderMode])
        }
        let desk = Desk(try SQLiteLog(folder: folder.path))
        let rows = try SQLiteRowStore(folder: folder.path, layout: .test)
        try desk.fill(.red, to: 3)
        rows.apply([], reached: 3)
        #expect(try rows.answer().position == 3)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let modes = try names.sorted().map { "\($0) \(String(try mode(folder.path + "/" + $0), radix: 8))" }
        #expect(
            modes == [
                "log.lock 600", "log.sqlite 600", "log.sqlite-shm 600", "log.sqlite-wal 600",
                "read-models.sqlite 600", "read-models.sqlite-shm 600", "read-models.sqlite-wal 600",
            ])
        #expect(Set(names).isSubset(of: SQLiteLog.fileNames + SQLiteRowStore.fileNames))
        if folderMode == nil { #expect(try mode(folder.path) == 0o700) }
        rows.close()
    }
}
