import Games

/// Counts by address over a minute; forgets all of them when it is over.
struct AddressLimit {
    /// Addresses that are counted at a time: past it, new ones share one count.
    static let addressLimit = 10_000

    private static let ownAddresses: Set = ["127.0.0.1", "::1"]

    private let perMinute: Int
    private var counts: [String: Int] = [:]
    private var began: Milliseconds = 0

    init(perMinute: Int) { self.perMinute = perMinute }

    mutating func count(_ address: String, now: Milliseconds) {
        // A proxy on this machine stands for all its clients.
        guard !Self.ownAddresses.contains(address) else { return }
        renew(now)
        counts[key(address), default: 0] += 1
    }

    mutating func isOver(_ address: String, now: Milliseconds) -> Bool {
        renew(now)
        return counts[key(address), default: 0] >= perMinute
    }

    private mutating func renew(_ now: Milliseconds) {
        guard now - began >= 60_000 else { return }
        began = now
        counts.removeAll()
    }

    private func key(_ address: String) -> String {
        counts[address] != nil || counts.count < Self.addressLimit ? address : "others"
    }
}
