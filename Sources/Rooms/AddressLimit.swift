import Games
import Synchronization
import Transport
import WebProtocols

/// Counts per minute by address, or by network for IPv6, for all loops of the hub. The minute is the same for all
/// addresses. It starts with the first count after the last minute ended, which also forgets all counts.
public final class AddressLimit: Sendable {
    public enum Count: Equatable {
        case withinLimit
        /// `wait` is the rest of the minute in seconds: 1 to 60.
        case pastLimit(wait: Int)
    }

    /// Addresses with a count of their own. Further ones share one count.
    static let addressLimit = 10_000

    private struct Minute {
        var began: Milliseconds
        /// Nil for all further addresses.
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

    /// Whether the next count of `peer` would pass the limit.
    public func isPast(_ peer: Peer, now: Milliseconds) -> Bool {
        guard peer.isLimited else { return false }
        return minute.withLock { minute in
            now - minute.began < Self.length && minute.counts[minute.key(of: peer), default: 0] >= perMinute
        }
    }

    public func count(_ peer: Peer, now: Milliseconds) -> Count {
        guard peer.isLimited else { return .withinLimit }
        return minute.withLock { minute in
            if now - minute.began >= Self.length { minute = Minute(began: now) }
            let key = minute.key(of: peer)
            let count = minute.counts[key, default: 0] + 1
            minute.counts[key] = count
            guard count > perMinute else { return .withinLimit }
            // Another loop's clock may be some milliseconds behind.
            let left = min(Self.length, Self.length - (now - minute.began))
            return .pastLimit(wait: (left + 999) / 1_000)
        }
    }
}

/// The limits by address, shared by all shards.
public struct AddressLimits: Sendable {
    /// Wrong codes and tokens.
    public let failures: AddressLimit
    /// New players, new devices and new names, including refused ones.
    public let registrations: AddressLimit
    /// Reports these limits, and those of connections.
    let notices = LimitNotices()

    public init(_ limits: HubLimits) {
        failures = AddressLimit(perMinute: limits.failuresPerMinute)
        registrations = AddressLimit(perMinute: limits.registrationsPerMinute)
    }
}
