import Foundation
import Records
import Testing

@testable import EventStore

// Commits over several streams.
extension SQLiteFailureTests {
    /// Appends to two streams, and erases two in between.
    private func commit(over desk: Desk) throws -> Commit {
        try Commit(
            id: "many",
            parts: [
                .append([.test(4)], to: .red, expecting: desk.end(of: .red)),
                .erase(.ada, expecting: desk.end(of: .ada)),
                .append([.test(5), .test(6)], to: .blue, expecting: desk.end(of: .blue)),
                .erase(.name("eve"), expecting: desk.end(of: .name("eve"))),
            ])
    }

    private static let touched: [StreamName] = [.red, .ada, .blue, .name("eve")]

    @Test("a commit over several streams of unknown outcome is delivered in order once it is known")
    func tellsUnsureCommit() throws {
        let place = try LogPlace()
        let desk = try place.open(system: FaultySystem.begin())
        for stream in Self.touched { try desk.fill(stream, to: 1) }
        let (commit, position) = (try commit(over: desk), try desk.everything().position)
        let follower = RecordingInbox()
        desk.log.followAll(after: position, ticket: 1, into: follower)
        desk.log.follow(.name("eve"), after: 1, ticket: 2, into: follower)
        try follower.wait { $0.count == 2 }
        moveAway(place)
        #expect(try desk.append(commit) == .outcomeUnknown)
        try place.move("aside", "data")
        try follower.wait { $0.count >= 8 }
        let places = follower.messages[2...].map { message -> [Int] in
            switch message {
            case .records(let ticket, let records): [Int(ticket), records[0].position - position]
            case .erased(let ticket, let erasure): [Int(ticket), erasure.position - position]
            default: []
            }
        }
        #expect(places == [[1, 1], [1, 2], [1, 3], [1, 4], [2, 5], [1, 5]])
        #expect(try desk.append(commit) == .repeated(version: 2))
    }

    @Test("a kill in the middle of a commit over several streams leaves all of it or nothing") func killedInCommit()
        throws
    {
        let place = try LogPlace()
        let desk = try place.open(system: FaultySystem.begin())
        for stream in Self.touched { try desk.fill(stream, to: 1) }
        let commit = try commit(over: desk)
        FaultySystem.orders.withLock { $0.duringSync = { try? place.copy("data", "killed") } }
        #expect(try desk.append(commit) == .appended(version: 2))
        desk.log.close()
        // The journal up to where it had been written when the process died.
        let journal = place.path("killed/log.sqlite-wal")
        let whole = try Data(contentsOf: URL(fileURLWithPath: journal))
        var found: [[Int]] = []
        for size in stride(from: whole.count - 8 * 4_096, through: whole.count, by: 1_024) {
            try place.copy("killed", "cut")
            try whole.prefix(size).write(to: URL(fileURLWithPath: place.path("cut/log.sqlite-wal")))
            let desk = Desk(try SQLiteLog(folder: place.path("cut")))
            let versions = try Self.touched.map { try desk.end(of: $0).version }
            if versions != found.last { found.append(versions) }
            desk.log.close()
            try place.remove("cut")
        }
        #expect(found.suffix(2) == [[1, 1, 1, 1], [2, 0, 3, 0]])
    }
}
