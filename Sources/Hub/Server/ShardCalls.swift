import JSON
import RoomRules
import Rooms

/// Questions about rooms. Any loop may ask. The one with the room's shard answers, without waking it. A room that is
/// not awake here, or whose home is another node, is read.
final class ShardCalls {
    private let index: Int
    private let shards: any ShardDirectory
    private let rooms: AwakeRooms
    private let surroundings: RoomSurroundings
    private let readModels: ReadModels
    let reader: RoomReader
    private var pending = PendingReplies<RoomReply>()

    /// For the shard `index`, which has `rooms`.
    init(
        index: Int, shards: any ShardDirectory, rooms: AwakeRooms, surroundings: RoomSurroundings,
        readModels: ReadModels
    ) {
        (self.index, self.shards, self.rooms) = (index, shards, rooms)
        (self.surroundings, self.readModels) = (surroundings, readModels)
        reader = RoomReader(surroundings)
    }

    /// Asks about room `code`. Calls `then` on this shard.
    func ask(_ question: RoomQuestion, about code: String, then: @escaping (RoomReply) -> Void) {
        let owner = shardIndex(ofRoom: code, count: shards.count)
        guard owner != index else { return answer(question, code: code, then: then) }
        shards.post(.question(question, code: code, asker: index, number: pending.add(then)), to: owner)
    }

    /// Answers the shard `asker` about a room of this one.
    func answer(_ question: RoomQuestion, code: String, asker: Int, number: UInt64) {
        answer(question, code: code) { [shards] in shards.post(.reply($0, number: number), to: asker) }
    }

    /// Takes the answer to question `number`.
    func replyArrived(_ reply: RoomReply, number: UInt64) { pending.remove(number)?(reply) }

    private func answer(_ question: RoomQuestion, code: String, then: @escaping (RoomReply) -> Void) {
        if let room = rooms[code], room.isJudgedHere, question != .row || !room.mayBeLost {
            return then(question.answer(by: room))
        }
        reader.read(code) { [self] answer in
            switch answer {
            case .room(let state): self.answer(question, by: state, then: then)
            case .absent: then(.absent)
            case .broken: then(.broken)
            case .unread: then(.unread)
            case .busy: then(.busy)
            }
        }
    }

    private func answer(_ question: RoomQuestion, by state: RoomState, then: @escaping (RoomReply) -> Void) {
        switch question {
        case .exists: then(.exists)
        case .row: then(.row(RoomRow(state, lead: state.lead(at: surroundings.now))))
        case .description:
            readModels.find(.players(ids: state.players)) { [surroundings] rows in
                // The answer does not need names. Players without one show as "someone".
                let named = ((try? rows.get()) ?? []).map { ($0.id, $0.name) }
                let names = Dictionary(named) { first, _ in first }
                let description = HubMessage.description(
                    state.summary, surroundings.presence.count(in: state.code), hostName: names[state.host],
                    names: names)
                then(.description(JSONWriter.bytes(description)))
            }
        }
    }
}

extension RoomQuestion {
    /// The answer of an awake room.
    fileprivate func answer(by room: Room) -> RoomReply {
        switch self {
        case .exists: .exists
        case .description: .description(JSONWriter.bytes(room.edge.description))
        case .row: .row(room.row)
        }
    }
}
