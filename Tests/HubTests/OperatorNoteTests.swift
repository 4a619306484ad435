import Foundation
import Testing

@testable import Hub

@Suite("The operator's note") struct OperatorNoteTests {
    private let folder = NSTemporaryDirectory() + "flipside-note-\(UUID())"

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

    @Test("a hub removes its own note, but not that of another hub in its place") func removesOwn() throws {
        let token = String(repeating: "A", count: 43)
        let first = try PostedNote(OperatorNote(port: 1, token: token), in: folder)
        let second = try PostedNote(OperatorNote(port: 2, token: token), in: folder)
        first.remove()
        #expect(try OperatorNote.ofRunningHub(in: folder)?.port == 2)
        second.remove()
        #expect(try OperatorNote.ofRunningHub(in: folder) == nil)
        // The system cleans up what cannot be deleted.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
