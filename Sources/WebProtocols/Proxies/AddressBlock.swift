/// Addresses that start with the same bits (`10.0.0.0/8`, `2001:db8::/32`), or a single one (`192.0.2.1`).
public struct AddressBlock: Equatable, Sendable, CustomStringConvertible {
    private let first: IPAddress
    /// How many of the 128 bits are the same. IPv4 has as many where it is mapped, so `::/0` is every address.
    private let length: Int

    /// Nil for anything else. That includes `10.0.0.1/8`, which could mean either the address or the block.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first.flatMap({ IPAddress($0) }) else { return nil }
        // `::ffff:10.0.0.0/104` counts bits as IPv6 does.
        let ahead = parts[0].contains(":") ? 0 : 96
        if parts.count == 2 {
            guard let length = decimal(parts[1]), ahead + Int(length) <= 128 else { return nil }
            self.length = ahead + Int(length)
        } else {
            length = 128
        }
        self.first = first
        guard first.bits & ~mask == 0 else { return nil }
    }

    public func contains(_ address: IPAddress) -> Bool { address.bits & mask == first.bits }

    public var description: String { first.isIPv4 && length >= 96 ? "\(first)/\(length - 96)" : "\(first)/\(length)" }

    private var mask: UInt128 { UInt128.max << (128 - length) }
}

extension [AddressBlock] {
    public func contains(_ address: IPAddress) -> Bool { contains { $0.contains(address) } }
}
