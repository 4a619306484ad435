import Records
import Testing

@testable import RoomRules

@Suite("Remembered commands") struct AnsweredCommandsTests {
    /// Numbered commands of one player: two events each, followed by one of the room's own.
    private func log(of commands: Int) -> [Record] {
        (0..<commands * 3).map { index in
            let commit =
                index % 3 == 2 ? CommitID.room(after: index, run: "run") : CommitID.command("ann", "\(index / 3)")
            let stream = StreamName.room("k3m7pq")
            return Record(
                stream: stream, version: index + 1, position: index + 1, commit: commit,
                event: Event(time: 0, type: "step", shown: []), hash: stream.origin)
        }
    }

    @Test(
        "the newest commands of a log are remembered",
        arguments: [
            (1, 1), (AnsweredCommands.limit * 2, AnsweredCommands.limit * 2),
            (AnsweredCommands.limit * 2 + 1, AnsweredCommands.limit), (2_000, AnsweredCommands.limit),
        ])
    func longLog(_ commands: Int, _ kept: Int) {
        var answered = AnsweredCommands()
        answered.rememberCommands(of: log(of: commands))
        let versions = (0..<commands).map { answered.version(of: .command("ann", "\($0)")) }
        #expect(versions.prefix(commands - kept).allSatisfy { $0 == nil })
        let newest = (commands - kept..<commands).map { Optional($0 * 3 + 2) }
        #expect(Array(versions.suffix(kept)) == newest)
    }
}
