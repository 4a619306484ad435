import Games
import Synchronization
import Transport
import WebProtocols

/// Logs which addresses passed a limit, for each limit at once and then once a minute while there is something to
/// report. All loops share it.
public final class LimitNotices: Sendable {
    /// Most addresses in a line, for an operator to read.
    static let addressLimit = 10
    static let pause: Milliseconds = 60_000

    /// The content of a line.
    struct Notice: Equatable {
        let limit: String
        /// How many times the limit was passed since the last line.
        let times: Int
        /// In the order in which they came, with networks for IPv6.
        let addresses: [IPAddress]
        /// Whether there were further addresses.
        let isMore: Bool
    }

    /// The time between two lines.
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

    /// `peer` has passed `limit`. Returns what to log at once, after which `due` must be called after `pause`; nil if
    /// there is nothing to log yet.
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

    /// What to log now, in the order of the limits' names, and when to call this again; nil if nothing needs it.
    func due(now: Milliseconds) -> (notices: [Notice], next: Milliseconds?) {
        minutes.withLock { minutes in
            var notices: [Notice] = []
            for (limit, minute) in minutes.sorted(by: { $0.key < $1.key }) where minute.end <= now {
                minutes[limit] = minute.times > 0 ? Minute(from: now) : nil
                guard minute.times > 0 else { continue }
                notices.append(
                    Notice(limit: limit, times: minute.times, addresses: minute.addresses, isMore: minute.isMore))
            }
            return (notices, minutes.values.map(\.end).min())
        }
    }
}

extension RoomSurroundings {
    /// Counts and logs that `peer` has passed a limit for addresses.
    public func hit(_ limit: HubLimit, by peer: Peer) {
        counters.hit(limit)
        notice(limit.rawValue, passedBy: peer)
    }

    /// Logs that `peer` has passed a limit, now or in this limit's next line.
    public func notice(_ limit: String, passedBy peer: Peer) {
        guard let notice = addressLimits.notices.passed(limit, by: peer, now: now) else { return }
        write(notice)
        timers.arm(.limitNotices, at: now + LimitNotices.pause)
    }

    /// The timer of `LimitNotices` fired.
    public func writeLimitNotices() {
        let (notices, next) = addressLimits.notices.due(now: now)
        for notice in notices { write(notice) }
        if let next { timers.arm(.limitNotices, at: next) }
    }

    private func write(_ notice: LimitNotices.Notice) {
        let addresses = notice.addresses.map { $0.isIPv4 ? "\($0)" : "\($0)/64" } + (notice.isMore ? ["others"] : [])
        loggers.write(
            .limitPassed,
            [
                "limit": "\(notice.limit)", "times": .stringConvertible(notice.times),
                "addresses": "\(addresses.joined(separator: ", "))",
            ])
    }
}
