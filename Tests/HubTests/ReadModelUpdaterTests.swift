import EventStore
import Games
import Testing

@testable import Hub

@Suite("Read models: rows that lag") struct ReadModelUpdaterTests {
    private let hub = ScriptedHub()
    private let shards = UnansweredShards()
    private let calls: ShardCalls
    private let updater: ReadModelUpdater

    /// The hub's own one writes no row of a room until time passes.
    init() {
        let (shard, readModels) = (hub.shard as Shard, hub.shard.readModels)
        calls = ShardCalls(
            index: 1, shards: shards, rooms: shard.rooms, surroundings: shard.surroundings, readModels: readModels)
        updater = ReadModelUpdater(
            shard.surroundings, readModels, nil, calls: calls,
            lobby: Lobby(surroundings: shard.surroundings, readModels: readModels),
            dueRooms: DueRooms(shard.surroundings, readModels, nil, shards: shards), shards: shards)
    }

    private func position() -> Int? {
        var position: Int?
        hub.shard.readModels.position { position = try? $0.get() }
        hub.settle()
        return position
    }

    /// The rooms asked for their rows so far, in order.
    private func asked() -> [String] {
        hub.settle()
        return shards.messages.compactMap {
            if case .question(.row, let code, _, _) = $0 { code } else { nil }
        }
    }

    @Test("replies to questions before a new start do not count for later questions")
    func beginsAnew() {
        let ann = hub.player("Ann")
        let first = hub.open(ann)
        updater.start()
        #expect(asked() == [first])
        updater.stop()
        let second = hub.open(ann)
        updater.start()
        #expect(asked() == [first, first, second])
        for number in 1...2 as ClosedRange<UInt64> { calls.replyArrived(.absent, number: number) }
        // Only the log's own beginning, and nothing of rooms.
        #expect(position() == 1)
        calls.replyArrived(.absent, number: 3)
        #expect(position() == hub.storage.lastPosition)
    }

    @Test("after the log was away, rooms are asked again")
    func logIsBack() {
        let code = hub.open(hub.player("Ann"))
        updater.start()
        #expect(asked() == [code])
        updater.logIsBack()
        #expect(asked() == [code, code])
    }

    @Test("no room is asked while the position of the rows is unknown")
    func waitsForBeginning() {
        let code = hub.open(hub.player("Ann"))
        updater.start()
        #expect(asked() == [code])
        // It has to be asked again.
        calls.replyArrived(.unread, number: 1)
        updater.stop()
        updater.start()
        updater.updateRows()
        #expect(asked() == [code, code])
        calls.replyArrived(.absent, number: 2)
        #expect(position() == hub.storage.lastPosition)
    }
}

/// Shards that accept everything and answer nothing.
final class UnansweredShards: ShardDirectory {
    let count = 1
    private(set) var messages: [ShardMessage] = []

    func post(_ message: ShardMessage, to shard: Int) { messages.append(message) }
}
