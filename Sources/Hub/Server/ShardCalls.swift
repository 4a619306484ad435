/// Questions about rooms, wherever they live: asked of the room's shard, on the node that is its home, and answered on
/// the one that asked.
final class ShardCalls {
    /// Whom an answer is for.
    enum Asker: Sendable {
        case shard(Int)
        case node(NodeName, shard: Int)
    }

    private let index: Int
    private let shards: any ShardDirectory
    private let rooms: AwakeRooms
    private let cluster: Cluster?
    /// One for each question that is under way, so whoever limits requests limits this.
    private var askers: [UInt64: (RoomReply) -> Void] = [:]
    /// What other nodes were asked.
    private var askedOf: [UInt64: NodeName] = [:]
    private var lastNumber: UInt64 = 0

    /// Those of the shard `index`, which has `rooms`.
    init(index: Int, shards: any ShardDirectory, rooms: AwakeRooms, cluster: Cluster?) {
        (self.index, self.shards, self.rooms, self.cluster) = (index, shards, rooms, cluster)
    }

    /// Asks the home of room `code`; `then` is called on this shard.
    func ask(_ question: RoomQuestion, about code: String, then: @escaping (RoomReply) -> Void) {
        lastNumber += 1
        askers[lastNumber] = then
        if let node = cluster?.home(ofRoom: code) {
            askedOf[lastNumber] = node
            cluster?.send(.question(question, about: code, asker: index, number: lastNumber), to: node)
            return
        }
        let owner = shardIndex(ofRoom: code, count: shards.count)
        if owner == index {
            answer(question, code: code, asker: .shard(index), number: lastNumber)
        } else {
            shards.post(.question(question, code: code, asker: .shard(index), number: lastNumber), to: owner)
        }
    }

    /// A question about a room of this shard.
    func answer(_ question: RoomQuestion, code: String, asker: Asker, number: UInt64) {
        // Another node asks that does not know yet, or knows already, that there are others.
        if case .node = asker, cluster?.home(ofRoom: code) != nil { return reply(.unread, to: asker, number: number) }
        guard let room = rooms.wake(code) else { return reply(.tooMany, to: asker, number: number) }
        room.whenKnown(QuestionVisit(calls: self, question: question, asker: asker, number: number))
    }

    fileprivate func answer(_ visit: QuestionVisit, _ room: Room) {
        reply(visit.question.answer(by: room), to: visit.asker, number: visit.number)
        rooms.letGoIfAbsent(room)
    }

    private func reply(_ reply: RoomReply, to asker: Asker, number: UInt64) {
        switch asker {
        case .shard(index): received(reply, number: number)
        case .shard(let other): shards.post(.reply(reply, number: number), to: other)
        case .node(let node, let shard): cluster?.send(.reply(reply, asker: shard, number: number), to: node)
        }
    }

    /// What was asked under `number` is answered.
    func received(_ reply: RoomReply, number: UInt64) {
        askedOf[number] = nil
        askers.removeValue(forKey: number)?(reply)
    }

    /// Nothing comes any more of what these nodes were asked.
    func lost(_ isLost: (NodeName) -> Bool) {
        for (number, _) in askedOf.filter({ isLost($0.value) }).sorted(by: { $0.key < $1.key }) {
            received(.unread, number: number)
        }
    }
}

/// A question that waits for its room.
private final class QuestionVisit: RoomVisitor {
    let calls: ShardCalls
    let question: RoomQuestion
    let asker: ShardCalls.Asker
    let number: UInt64

    init(calls: ShardCalls, question: RoomQuestion, asker: ShardCalls.Asker, number: UInt64) {
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
