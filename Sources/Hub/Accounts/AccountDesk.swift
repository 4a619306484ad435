import Cluster
import EventStore
import Games
import Rooms

/// Changes accounts. Any shard may ask, and the first one does the work. Each change is judged on the account as it is
/// in the log, and only written if the account has not changed since.
final class AccountDesk {
    /// A command, and the key of its account, even if the command makes it.
    struct Order: Equatable, Sendable {
        var key: AccountReader.Key
        let command: AccountCommand
    }

    enum Answer: Equatable, Sendable {
        case done(AccountAnswer)
        case refused(Rejection)
        /// Others changed the account every time that the command was judged.
        case busy
        /// The log cannot be read or written; nil if it is unknown whether the change was written.
        case unavailable(EventLogError?)
    }

    /// The shard that does the work.
    static let home = 0
    /// How many times a command is judged while others change the account.
    static let attemptLimit = 3

    private let index: Int
    private let surroundings: RoomSurroundings
    private let shards: any ShardDirectory
    private let reader: AccountReader
    private let cluster: ServingNodes?
    /// One for each running request, so the limit on connections also limits this.
    private var pending = PendingReplies<Answer>()

    init(
        index: Int, surroundings: RoomSurroundings, _ cluster: ServingNodes?, shards: any ShardDirectory,
        reader: AccountReader
    ) {
        (self.index, self.surroundings, self.cluster) = (index, surroundings, cluster)
        (self.shards, self.reader) = (shards, reader)
    }

    /// `then` is called on this shard.
    func ask(_ order: Order, then: @escaping (Answer) -> Void) {
        let number = pending.add(then)
        if index == Self.home {
            runOrder(order, asker: index, number: number)
        } else {
            shards.post(.account(order, asker: index, number: number), to: Self.home)
        }
    }

    func runOrder(_ order: Order, asker: Int, number: UInt64) {
        attempt(order, 1) { [self] answer in
            guard asker != index else { return orderSettled(answer, number: number) }
            shards.post(.accountSettled(answer, number: number), to: asker)
        }
    }

    func orderSettled(_ answer: Answer, number: UInt64) { pending.remove(number)?(answer) }

    private func attempt(_ order: Order, _ attempt: Int, then: @escaping (Answer) -> Void) {
        guard attempt <= Self.attemptLimit else { return then(.busy) }
        reader.find(order.key) { [self] result in
            let account: Account?
            do throws(EventLogError) { account = try result.get() } catch { return then(.unavailable(error)) }
            let context = AccountContext(
                now: surroundings.now, random: surroundings.random, tokenHash: order.key.tokenHash)
            do throws(Rejection) {
                switch try order.command.decide(on: account, context) {
                case .answer(let answer): then(.done(answer))
                case .commit(let commit, let answer, let taken):
                    surroundings.append(commit) { [self] outcome in
                        tell(of: account, order.command, outcome)
                        switch outcome {
                        case .appended: then(.done(answer))
                        case .conflict(let stream, _):
                            if let refusal = taken[stream] { return then(.refused(refusal)) }
                            self.attempt(order.pinned(to: account), attempt + 1, then: then)
                        case .repeated: self.attempt(order.pinned(to: account), attempt + 1, then: then)
                        case .unavailable(let error): then(.unavailable(error))
                        case .outcomeUnknown, .claimed, .renewed: then(.unavailable(nil))
                        }
                    }
                }
            } catch {
                if let limit = Self.limit(of: error) { surroundings.counters.hit(limit) }
                then(.refused(error))
            }
        }
    }

    /// The limit that a refusal counts against; nil if it is past none.
    private static func limit(of rejection: Rejection) -> HubLimit? {
        switch rejection {
        case .tooManyDevices: .devices
        case .tooManyChanges: .changesPerDay
        default: nil
        }
    }

    /// Makes every shard of every node read an account again that may have changed, even if it is unknown whether the
    /// change was written.
    private func tell(of account: Account?, _ command: AccountCommand, _ outcome: AppendAnswer) {
        guard let account, command.isNoticed else { return }
        switch outcome {
        case .appended, .repeated, .outcomeUnknown:
            shards.postToAll(.accountChanged(account.id))
            cluster?.sendToAll(.accountChanged(account.id))
        case .conflict, .claimed, .renewed, .unavailable: break
        }
    }
}

extension AccountDesk.Order {
    /// A command on a name's player never applies to another player who has taken the name since.
    fileprivate func pinned(to account: Account?) -> AccountDesk.Order {
        guard case .name = key, let account else { return self }
        var order = self
        order.key = .id(account.id)
        return order
    }
}
