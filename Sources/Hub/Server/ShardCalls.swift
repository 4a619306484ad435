/// Questions about rooms, wherever they live: asked of the room's shard, answered on the one that asked.
final class ShardCalls {
    private let index: Int
    private let shards: any ShardDirectory
    private let rooms: AwakeRooms
    /// One for each question that is under way, so whoever limits requests limits this.
    private var askers: [UInt64: (RoomReply) -> Void] = [:]
    private var lastNumber: UInt64 = 0

    /// Those of the shard `index`, which has `rooms`.
    init(index: Int, shards: any ShardDirectory, rooms: AwakeRooms) {
        (self.index, self.shards, self.rooms) = (index, shards, rooms)
    }

    /// Asks the shard of room `code`; `then` is called on this one.
    func ask(_ question: RoomQuestion, about code: String, then: @escaping (RoomReply) -> Void) {
        lastNumber += 1
        askers[lastNumber] = then
        let owner = shardIndex(ofRoom: code, count: shards.count)
        if owner == index {
            answer(question, code: code, asker: index, number: lastNumber)
        } else {
            shards.post(.question(question, code: code, asker: index, number: lastNumber), to: owner)
        }
    }

    /// A question about a room of this shard.
    func answer(_ question: RoomQuestion, code: String, asker: Int, number: UInt64) {
        guard let room = rooms.wake(code) else { return reply(.tooMany, to: asker, number: number) }
        room.whenKnown(QuestionVisit(calls: self, question: question, asker: asker, number: number))
    }

    fileprivate func answer(_ visit: QuestionVisit, _ room: Room) {
        reply(visit.question.answer(by: room), to: visit.asker, number: visit.number)
        rooms.letGoIfAbsent(room)
    }

    private func reply(_ reply: RoomReply, to asker: Int, number: UInt64) {
        if asker == index {
            received(reply, number: number)
        } else {
            shards.post(.reply(reply, number: number), to: asker)
        }
    }

    /// What was asked under `number` is answered.
    func received(_ reply: RoomReply, number: UInt64) { askers.removeValue(forKey: number)?(reply) }
}

/// A question that waits for its room.
private final class QuestionVisit: RoomVisitor {
    let calls: ShardCalls
    let question: RoomQuestion
    let asker: Int
    let number: UInt64

    init(calls: ShardCalls, question: RoomQuestion, asker: Int, number: UInt64) {
        (self.calls, self.question, self.asker, self.number) = (calls, question, asker, number)
    }

    func roomIsKnown(_ room: Room) { calls.answer(self, room) }
}

extension RoomQuestion {
    /// What a room that is known answers.
    fileprivate func answer(by room: Room) -> RoomReply {
        switch (room.life, self) {
        case (.awake, .exists): .exists
        case (.awake, .description): .description(JSONWriter.bytes(room.edge.description))
        case (.awake, .row): .row(room.row)
        case (.absent, _): .absent
        case (.unread, _): .unread
        case (.broken, _), (.loading, _), (.naming, _): .broken
        }
    }
}
