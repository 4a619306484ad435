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
    /// While nodes come and go nobody may know the answer for a moment: then it is asked again, for so long. Nor is
    /// another node waited for any longer, which may be out of reach.
    private static let answerTimeout: Milliseconds = 3_000
    private static let retryPause: Milliseconds = 100

    private struct Call {
        let question: RoomQuestion
        let code: String
        /// Until when it is asked again, and another node's answer waited for.
        let end: Milliseconds
        let then: (RoomReply) -> Void
    }

    private let index: Int
    private let shards: any ShardDirectory
    private let rooms: AwakeRooms
    private let surroundings: RoomSurroundings
    private var cluster: Cluster? { surroundings.cluster }
    /// One for each question that is under way.
    private var calls: [UInt64: Call] = [:]
    /// What other nodes were asked.
    private var askedOf: [UInt64: NodeName] = [:]
    /// Those that are to be asked again.
    private var postponed: [Call] = []
    private var armed: Milliseconds?
    private var lastNumber: UInt64 = 0

    /// Those of the shard `index`, which has `rooms`.
    init(index: Int, shards: any ShardDirectory, rooms: AwakeRooms, surroundings: RoomSurroundings) {
        (self.index, self.shards, self.rooms, self.surroundings) = (index, shards, rooms, surroundings)
    }

    /// Asks the home of room `code`; `then` is called on this shard.
    func ask(_ question: RoomQuestion, about code: String, then: @escaping (RoomReply) -> Void) {
        ask(Call(question: question, code: code, end: surroundings.now + Self.answerTimeout, then: then))
    }

    private func ask(_ call: Call) {
        lastNumber += 1
        calls[lastNumber] = call
        if let node = cluster?.home(ofRoom: call.code) {
            askedOf[lastNumber] = node
            cluster?.send(.question(call.question, about: call.code, asker: index, number: lastNumber), to: node)
            return arm(at: call.end)
        }
        let owner = shardIndex(ofRoom: call.code, count: shards.count)
        if owner == index {
            answer(call.question, code: call.code, asker: .shard(index), number: lastNumber)
        } else {
            shards.post(
                .question(call.question, code: call.code, asker: .shard(index), number: lastNumber), to: owner)
        }
    }

    /// Its time has come: what was postponed is asked again, and what no other node has answered in time is not waited
    /// for any longer.
    func tick() {
        let again = postponed
        (postponed, armed) = ([], nil)
        for call in again { ask(call) }
        for number in askedOf.keys.sorted() {
            if let call = calls[number], call.end <= surroundings.now { received(.unread, number: number) }
        }
        if let end = askedOf.keys.lazy.compactMap({ [calls] in calls[$0]?.end }).min() { arm(at: end) }
    }

    private func arm(at time: Milliseconds) {
        guard armed.map({ time < $0 }) ?? true else { return }
        armed = time
        surroundings.timers.arm(Self.timer, at: time)
    }

    /// A question about a room of this shard.
    func answer(_ question: RoomQuestion, code: String, asker: Asker, number: UInt64) {
        // Another node asks that does not know yet, or knows already, that there are others.
        if case .node = asker, cluster?.home(ofRoom: code) != nil { return reply(.unread, to: asker, number: number) }
        guard let room = rooms.wake(code) else { return reply(.tooMany, to: asker, number: number) }
        room.whenKnown(QuestionVisit(calls: self, question: question, asker: asker, number: number))
    }

    fileprivate func answer(_ visit: QuestionVisit, _ room: Room) {
        let mayBeLost = visit.question == .row && room.mayBeLost
        if mayBeLost, room.isDoubtful { room.compareWithLog() }
        reply(mayBeLost ? .unread : visit.question.answer(by: room), to: visit.asker, number: visit.number)
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
        postponed.append(call)
        arm(at: surroundings.now + Self.retryPause)
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
