import Games
import Synchronization
import Transport
import WebProtocols

/// Counts by address, of IPv6 by network, over a minute, once for the hub: the loops share it. The minute is a fixed
/// one, the same for all addresses: it begins with the first count after the one before has ended, and then all are
/// forgotten.
final class AddressLimit: Sendable {
    /// What one more comes to.
    enum Count: Equatable {
        case withinLimit
        /// `wait` seconds are left of the minute: 1 to 60.
        case pastLimit(wait: Int)
    }

    /// Addresses that are counted at a time: past it, new ones share one count.
    static let addressLimit = 10_000

    private struct Minute {
        var began: Milliseconds
        /// Nil: all others.
        var counts: [IPAddress?: Int] = [:]

        func key(of peer: Peer) -> IPAddress? {
            let network = peer.address.network
            return counts[network] != nil || counts.count < AddressLimit.addressLimit ? network : nil
        }
    }

    private static let length: Milliseconds = 60_000

    private let perMinute: Int
    private let minute = Mutex(Minute(began: 0))

    init(perMinute: Int) { self.perMinute = perMinute }

    /// Whether one more of `peer` would be past the limit.
    func isPast(_ peer: Peer, now: Milliseconds) -> Bool {
        guard peer.isLimited else { return false }
        return minute.withLock { minute in
            now - minute.began < Self.length && minute.counts[minute.key(of: peer), default: 0] >= perMinute
        }
    }

    /// One more of `peer`.
    func count(_ peer: Peer, now: Milliseconds) -> Count {
        guard peer.isLimited else { return .withinLimit }
        return minute.withLock { minute in
            if now - minute.began >= Self.length { minute = Minute(began: now) }
            let key = minute.key(of: peer)
            let count = minute.counts[key, default: 0] + 1
            minute.counts[key] = count
            guard count > perMinute else { return .withinLimit }
            // The clock of another loop may be some milliseconds behind.
            let left = min(Self.length, Self.length - (now - minute.began))
            return .pastLimit(wait: (left + 999) / 1_000)
        }
    }
}

/// What addresses are limited in: one value for all shards of a hub.
struct AddressLimits: Sendable {
    /// Wrong codes and tokens.
    let failures: AddressLimit
    /// New players, new devices and new names: what is refused is counted, too.
    let registrations: AddressLimit
    /// Of these, and of connections.
    let notices = LimitNotices()

    init(_ limits: HubLimits) {
        failures = AddressLimit(perMinute: limits.failuresPerMinute)
        registrations = AddressLimit(perMinute: limits.registrationsPerMinute)
    }
}
