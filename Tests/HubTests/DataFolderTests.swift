import Foundation
import Logging
import Testing

@testable import Hub

@Suite("The data folder") struct DataFolderTests {
    private let folder = NSTemporaryDirectory() + "flipside-folder-\(UUID())"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    private func make(_ name: String, mode: Int, isFolder: Bool = false) throws {
        let path = folder + "/" + name
        if isFolder {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } else {
            try Data("x".utf8).write(to: URL(fileURLWithPath: path))
        }
        #expect(chmod(path, mode_t(mode)) == 0)
    }

    private func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + name)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    /// The lines of a hub that starts on the folder.
    private func lines() -> [String] {
        let logged = LoggedLines()
        DataFolder.closeToOthers(folder, Logger(label: "test") { _ in logged })
        return logged.of(.warning)
    }

    @Test("files that others may read are named, and the hub's own are closed to them") func closes() throws {
        for name in ["log.sqlite", "log.sqlite-wal", "read-models.sqlite-shm"] { try make(name, mode: 0o644) }
        try make("alive", mode: 0o604)
        try make("operator", mode: 0o600)
        try make("copy.sqlite", mode: 0o640)
        try make("tls", mode: 0o755, isFolder: true)
        #expect(chmod(folder, 0o755) == 0)
        let mended = "warning others could read this file of the data folder: its mode is 0600 now"
        let open = "warning others may read this file in the data folder: chmod 600 would keep them out"
        let entered = "warning others may look into the data folder: chmod 700 would keep them out"
        #expect(
            lines() == [
                "\(entered) mode=0755 path=\(folder)", "\(mended) mode=0604 path=\(folder)/alive",
                "\(open) mode=0640 path=\(folder)/copy.sqlite", "\(mended) mode=0644 path=\(folder)/log.sqlite",
                "\(mended) mode=0644 path=\(folder)/log.sqlite-wal",
                "\(mended) mode=0644 path=\(folder)/read-models.sqlite-shm",
            ])
        for name in ["log.sqlite", "log.sqlite-wal", "read-models.sqlite-shm", "alive", "operator"] {
            #expect(try mode(name) == 0o600, "\(name)")
        }
        #expect(try mode("copy.sqlite") == 0o640 && mode("tls") == 0o755 && mode("") == 0o755)
        #expect(lines().count == 2)
        // In a folder that others cannot enter, its files cannot be read either.
        #expect(chmod(folder, 0o700) == 0)
        #expect(lines() == [])
        // The system cleans up what cannot be deleted.
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("a link is not followed to change its target") func leavesLinks() throws {
        try make("elsewhere", mode: 0o644)
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/alive", withDestinationPath: folder + "/elsewhere")
        #expect(chmod(folder, 0o755) == 0)
        #expect(lines().count == 3)
        #expect(try mode("elsewhere") == 0o644)
        try? FileManager.default.removeItem(atPath: folder)
    }

    @Test("a missing folder is not reported") func ignoresMissing() throws {
        try FileManager.default.removeItem(atPath: folder)
        #expect(lines() == [])
    }
}
