import Games
import Logging
import Synchronization
import Transport
import WebProtocols

/// Says which addresses were past a limit: a line for each limit, at once and then once a minute as long as there is
/// something to say. One for the hub: its loops share it.
final class LimitNotices: Sendable {
    /// Of the loops' timers: none of those of a shard's parts.
    static let timer: UInt64 = .max - 8
    /// Most addresses in a line: what an operator reads.
    static let addressLimit = 10
    static let pause: Milliseconds = 60_000

    /// What a line says.
    struct Notice: Equatable {
        let limit: String
        /// Times that the limit was passed since the line before.
        let times: Int
        /// Of IPv6 the network; in the order in which they came.
        let addresses: [IPAddress]
        /// Whether there were other addresses, too.
        let isMore: Bool
    }

    /// From a line to the next.
    private struct Minute {
        var end: Milliseconds
        var times = 0
        var addresses: [IPAddress] = []
        var isMore = false

        init(from now: Milliseconds) { end = now + LimitNotices.pause }

        mutating func add(_ address: IPAddress) {
            times += 1
            guard !addresses.contains(address) else { return }
            if addresses.count < LimitNotices.addressLimit { addresses.append(address) } else { isMore = true }
        }
    }

    private let minutes = Mutex<[String: Minute]>([:])

    /// One was past `limit`. What is to be said of it at once, if anything: then `due` is to be called after `pause`.
    func passed(_ limit: String, by peer: Peer, now: Milliseconds) -> Notice? {
        let address = peer.address.network
        return minutes.withLock { minutes in
            guard minutes[limit] != nil else {
                minutes[limit] = Minute(from: now)
                return Notice(limit: limit, times: 1, addresses: [address], isMore: false)
            }
            minutes[limit]?.add(address)
            return nil
        }
    }

    /// What is to be said now, in the order of the limits' names, and when this is to be called again; nil: there is
    /// nothing to wait for.
    func due(now: Milliseconds) -> (notices: [Notice], next: Milliseconds?) {
        minutes.withLock { minutes in
            var notices: [Notice] = []
            for (limit, minute) in minutes.sorted(by: { $0.key < $1.key }) where minute.end <= now {
                minutes[limit] = minute.times > 0 ? Minute(from: now) : nil
                guard minute.times > 0 else { continue }
                notices.append(
                    Notice(
                        limit: limit, times: minute.times, addresses: minute.addresses, isMore: minute.isMore))
            }
            return (notices, minutes.values.map(\.end).min())
        }
    }
}

extension RoomSurroundings {
    /// Counts that `peer` was past a limit that each address has, and says so.
    func hit(_ limit: HubLimit, by peer: Peer) {
        counters.hit(limit)
        notice(limit.rawValue, passedBy: peer)
    }

    /// Says that `peer` was past a limit: now, or with the next line of this limit.
    func notice(_ limit: String, passedBy peer: Peer) {
        guard let notice = addressLimits.notices.passed(limit, by: peer, now: now) else { return }
        write(notice)
        timers.arm(LimitNotices.timer, at: now + LimitNotices.pause)
    }

    /// The timer of `LimitNotices` has come.
    func writeLimitNotices() {
        let (notices, next) = addressLimits.notices.due(now: now)
        for notice in notices { write(notice) }
        if let next { timers.arm(LimitNotices.timer, at: next) }
    }

    private func write(_ notice: LimitNotices.Notice) {
        let addresses = notice.addresses.map { $0.isIPv4 ? "\($0)" : "\($0)/64" } + (notice.isMore ? ["others"] : [])
        loggers.transport.notice(
            "a limit was passed (told once a minute)",
            metadata: [
                "limit": "\(notice.limit)", "times": .stringConvertible(notice.times),
                "addresses": "\(addresses.joined(separator: ", "))",
            ])
    }
}
