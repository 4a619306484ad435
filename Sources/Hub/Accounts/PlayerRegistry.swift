import EventStore

/// Where names are given and given up. Asked on any shard, done on the first one, where the read models are brought up
/// to the log, too: so one thread writes all rows of players, in the order of the log, and none comes back after its
/// erasure.
final class PlayerRegistry {
    enum Order: Sendable, Equatable {
        case register(PlayerRow)
        case forget(PlayerRow)
    }

    enum Answer: Sendable, Equatable {
        /// What the log said. A `conflict` says of `register` that the name is taken, of `forget` that it had been
        /// given up already.
        case settled(AppendAnswer)
        /// The token to be registered is this player's already.
        case borne(PlayerRow)
    }

    private struct Registration {
        let row: PlayerRow
        let asker: Int
        let number: UInt64
    }

    /// The shard that does it.
    static let home = 0

    private let index: Int
    private let surroundings: RoomSurroundings
    private let shards: any ShardDirectory
    /// One for each request that is under way, so whoever limits connections limits this.
    private var askers: [UInt64: (Answer) -> Void] = [:]
    private var lastNumber: UInt64 = 0
    /// Registrations by the hash of their token, the one that is under way first: the others wait for it, so that a
    /// token gets one name. As many as askers.
    private var registrations: [String: [Registration]] = [:]

    init(index: Int, surroundings: RoomSurroundings, shards: any ShardDirectory) {
        self.index = index
        self.surroundings = surroundings
        self.shards = shards
    }

    /// `then` is called on this shard; the rows show by then what was done.
    func ask(_ order: Order, then: @escaping (Answer) -> Void) {
        lastNumber += 1
        askers[lastNumber] = then
        if index == Self.home {
            perform(order, asker: index, number: lastNumber)
        } else {
            shards.post(.player(order, asker: index, number: lastNumber), to: Self.home)
        }
    }

    func perform(_ order: Order, asker: Int, number: UInt64) {
        switch order {
        case .register(let row):
            registrations[row.tokenHash, default: []].append(Registration(row: row, asker: asker, number: number))
            if registrations[row.tokenHash]?.count == 1 { lookUp(row) }
        case .forget(let row):
            surroundings.append(row.forgetting) { [self] outcome in
                forget(row, outcome)
                reply(.settled(outcome), to: asker, number: number)
            }
        }
    }

    func settled(_ answer: Answer, number: UInt64) { askers.removeValue(forKey: number)?(answer) }

    private func reply(_ answer: Answer, to asker: Int, number: UInt64) {
        if asker == index {
            settled(answer, number: number)
        } else {
            shards.post(.playerSettled(answer, number: number), to: asker)
        }
    }

    // MARK: Registering

    /// Whether the token has got a name since the order was given.
    private func lookUp(_ row: PlayerRow) {
        surroundings.readModels.player(tokenHash: row.tokenHash) { [self] result in
            switch result {
            case .failure(let error): registered(row, .settled(.unavailable(error)))
            case .success(let bearer?): registered(row, .borne(bearer))
            case .success(nil): append(row)
            }
        }
    }

    private func append(_ row: PlayerRow) {
        // A name is unique because registering it is an append to its stream that expects it to be empty.
        surroundings.append(row.commit(at: surroundings.now)) { [self] outcome in
            switch outcome {
            // The id of the commit follows from all that it says.
            case .appended, .repeated: write(row.change)
            case .conflict, .unavailable, .outcomeUnknown: break
            }
            registered(row, .settled(outcome))
        }
    }

    /// The first registration of this token is answered; the next one, if any, has its turn.
    private func registered(_ row: PlayerRow, _ answer: Answer) {
        guard let done = registrations[row.tokenHash]?.removeFirst() else { return }
        reply(answer, to: done.asker, number: done.number)
        if let next = registrations[row.tokenHash]?.first {
            lookUp(next.row)
        } else {
            registrations[row.tokenHash] = nil
        }
    }

    // MARK: Forgetting

    private func forget(_ row: PlayerRow, _ outcome: AppendAnswer) {
        switch outcome {
        case .appended, .repeated, .conflict: write(PlayerRow.erased(head: row.head))
        // Its connections watch, in case it was done; the rows follow the log.
        case .outcomeUnknown: break
        case .unavailable: return
        }
        for shard in 0..<shards.count { shards.post(.forgotten(row.id), to: shard) }
    }

    /// So does what follows the log, but later while it still reads what was there before, and never if it cannot.
    private func write(_ change: RowChange) { surroundings.readModels.write([change]) }
}
