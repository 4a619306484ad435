import Games

/// Questions about rooms, wherever they live: asked of the room's shard, on the node that is its home, and answered on
/// the one that asked.
final class ShardCalls {
    /// Whom an answer is for.
    enum Asker: Sendable {
        case shard(Int)
        case node(NodeName, shard: Int)
    }

    static let timer: UInt64 = .max - 5
    /// While nodes come and go nobody may know the answer for a moment: then it is asked again, for so long.
    private static let patience: Milliseconds = 3_000
    private static let retryPause: Milliseconds = 100

    private struct Call {
        let question: RoomQuestion
        let code: String
        /// Until when it is asked again.
        let end: Milliseconds
        let then: (RoomReply) -> Void
    }

    private let index: Int
    private let shards: any ShardDirectory
    private let rooms: AwakeRooms
    private let surroundings: RoomSurroundings
    private var cluster: Cluster? { surroundings.cluster }
    /// One for each question that is under way, so whoever limits requests limits this.
    private var calls: [UInt64: Call] = [:]
    /// What other nodes were asked.
    private var askedOf: [UInt64: NodeName] = [:]
    /// Those that are to be asked again.
    private var postponed: [Call] = []
    private var lastNumber: UInt64 = 0

    /// Those of the shard `index`, which has `rooms`.
    init(index: Int, shards: any ShardDirectory, rooms: AwakeRooms, surroundings: RoomSurroundings) {
        (self.index, self.shards, self.rooms, self.surroundings) = (index, shards, rooms, surroundings)
    }

    /// Asks the home of room `code`; `then` is called on this shard.
    func ask(_ question: RoomQuestion, about code: String, then: @escaping (RoomReply) -> Void) {
        ask(Call(question: question, code: code, end: surroundings.now + Self.patience, then: then))
    }

    private func ask(_ call: Call) {
        lastNumber += 1
        calls[lastNumber] = call
        if let node = cluster?.home(ofRoom: call.code) {
            askedOf[lastNumber] = node
            cluster?.send(.question(call.question, about: call.code, asker: index, number: lastNumber), to: node)
            return
        }
        let owner = shardIndex(ofRoom: call.code, count: shards.count)
        if owner == index {
            answer(call.question, code: call.code, asker: .shard(index), number: lastNumber)
        } else {
            shards.post(
                .question(call.question, code: call.code, asker: .shard(index), number: lastNumber), to: owner)
        }
    }

    /// Its time has come: what was postponed is asked again.
    func tick() {
        let calls = postponed
        postponed = []
        for call in calls { ask(call) }
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
        guard let call = calls.removeValue(forKey: number) else { return }
        guard reply == .unread, cluster != nil, !surroundings.isLogDown, surroundings.now < call.end else {
            return call.then(reply)
        }
        if postponed.isEmpty { surroundings.timers.arm(Self.timer, at: surroundings.now + Self.retryPause) }
        postponed.append(call)
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
