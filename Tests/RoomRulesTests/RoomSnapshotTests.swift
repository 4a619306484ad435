import Testing

@testable import RoomRules

@Suite("Snapshots of a room") struct RoomSnapshotTests {
    @Test("a snapshot, and the log from its end on, lead to the same room as the whole log")
    func same() throws {
        var room = try FoldedRoom()
        room.connect("ann")
        try room.command("sit", by: "ann")
        #expect(RoomSnapshot(room.state, answered: AnsweredCommands()) == nil)
        try room.command("start", by: "ann")
        try room.command("flip", ["cell": 0], by: "ann")
        let bytes = try #require(RoomSnapshot(room.state, answered: AnsweredCommands())).bytes
        let end = room.state.end
        try room.command("propose", ["what": "restart"], by: "ann")
        var state = try RoomSnapshot(bytes, of: FoldedRoom.code, at: end, games: room.games).state
        #expect(!state.isWhole)
        for record in room.records[end.version...] { try state.apply(record) }
        #expect(state.isWhole && state.end == room.state.end)
        #expect(state.roomView == room.state.roomView && state.gameView == room.state.gameView)
    }
}
