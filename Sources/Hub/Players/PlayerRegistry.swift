import EventStore

/// Where names are given and given up. Asked on any shard, done on the first one, whose inbox has the projector's feed,
/// too: so one thread writes all rows of players, in the order of the log, and none comes back after its erasure.
final class PlayerRegistry {
    enum Order: Sendable, Equatable {
        case register(PlayerRow)
        case forget(PlayerRow)
    }

    /// The shard that does it.
    static let home = 0

    private let index: Int
    private let surroundings: RoomSurroundings
    private let shards: any ShardDirectory
    /// One for each request that is under way, so whoever limits connections limits this.
    private var askers: [UInt64: (AppendAnswer) -> Void] = [:]
    private var lastNumber: UInt64 = 0

    init(index: Int, surroundings: RoomSurroundings, shards: any ShardDirectory) {
        self.index = index
        self.surroundings = surroundings
        self.shards = shards
    }

    /// `then` is called on this shard with the log's answer; the rows show it by then. A `conflict` says of `register`
    /// that the name is taken, of `forget` that it had been given up already.
    func ask(_ order: Order, then: @escaping (AppendAnswer) -> Void) {
        lastNumber += 1
        askers[lastNumber] = then
        if index == Self.home {
            perform(order, asker: index, number: lastNumber)
        } else {
            shards.post(.player(order, asker: index, number: lastNumber), to: Self.home)
        }
    }

    func perform(_ order: Order, asker: Int, number: UInt64) {
        let answer = OneAnswer(surroundings) { [self] message in
            guard case .settled(_, let outcome) = message else { return }
            switch order {
            case .register(let row): if case .appended = outcome { write(.player(row)) }
            case .forget(let row): forget(row, outcome)
            }
            if asker == index {
                settled(outcome, number: number)
            } else {
                shards.post(.playerSettled(outcome, number: number), to: asker)
            }
        }
        switch order {
        case .register(let row):
            // A name is unique because registering it is an append to its stream that expects it to be empty.
            surroundings.log.append(
                row.commit(at: surroundings.now), to: .player(row.folded), expecting: 0, ticket: answer.ticket,
                answer: surroundings.inbox)
        case .forget(let row):
            surroundings.log.erase(
                .player(row.folded), endingAt: row.head, ticket: answer.ticket, answer: surroundings.inbox)
        }
    }

    func settled(_ outcome: AppendAnswer, number: UInt64) { askers.removeValue(forKey: number)?(outcome) }

    private func forget(_ row: PlayerRow, _ outcome: AppendAnswer) {
        switch outcome {
        case .appended, .conflict: write(.playerErased(head: row.head))
        // Its connections watch, in case it was done; the rows follow the log.
        case .outcomeUnknown: break
        case .unavailable: return
        }
        for shard in 0..<shards.count { shards.post(.forgotten(row.id), to: shard) }
    }

    /// The projector writes the same, but later while it still reads what was there before, and never if it cannot.
    private func write(_ change: RowChange) { surroundings.projections.apply([change], reached: nil) }
}
