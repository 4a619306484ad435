/// An IPv4 or IPv6 address. An IPv4-mapped one (`::ffff:192.0.2.1`, RFC 4291 section 2.5.5.2) equals the IPv4 address.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    // Halves, since a UInt128 would align every struct that has an address to 16 bytes.
    private let high, low: UInt64

    /// In the form of IPv6, with IPv4 mapped.
    public var bits: UInt128 { UInt128(high) << 64 | UInt128(low) }

    private static let mapped: UInt128 = 0xFFFF << 32

    public init(bits: UInt128) { (high, low) = (UInt64(bits >> 64), UInt64(truncatingIfNeeded: bits)) }

    public init(ipv4: UInt32) { self.init(bits: Self.mapped | UInt128(ipv4)) }

    /// Nil for anything but a numeric address without a port, brackets or a zone.
    public init?(_ text: some StringProtocol) {
        guard text.contains(":") else {
            guard let number = Self.ipv4(text) else { return nil }
            self.init(ipv4: number)
            return
        }
        guard let groups = Self.groups(String(text)) else { return nil }
        self.init(bits: groups.reduce(0) { $0 << 16 | UInt128($1) })
    }

    public var isIPv4: Bool { bits >> 32 == 0xFFFF }

    /// This machine's own address, 127.0.0.1 or ::1.
    public var isLoopback: Bool { bits == 1 || bits == Self.mapped | 0x7F00_0001 }

    /// What a provider gives to one customer: an IPv4 address, or an IPv6 network of 64 bits.
    public var network: IPAddress { isIPv4 ? self : IPAddress(bits: (bits >> 64) << 64) }

    /// IPv6 in the form of RFC 5952.
    public var description: String {
        guard !isIPv4 else {
            return [24, 16, 8, 0].map { String(UInt8(truncatingIfNeeded: bits >> $0)) }.joined(separator: ".")
        }
        let groups = (0..<8).map { UInt16(truncatingIfNeeded: bits >> (112 - $0 * 16)) }
        let zeros = Self.longestZeros(in: groups)
        let parts = zeros.count > 1 ? [groups[..<zeros.lowerBound], groups[zeros.upperBound...]] : [groups[...]]
        return parts.map { $0.map { String($0, radix: 16) }.joined(separator: ":") }.joined(separator: "::")
    }

    private static func longestZeros(in groups: [UInt16]) -> Range<Int> {
        var longest = 0..<0
        for start in groups.indices {
            let end = groups[start...].firstIndex { $0 != 0 } ?? groups.endIndex
            if end - start > longest.count { longest = start..<end }
        }
        return longest
    }

    /// Four numbers up to 255, without leading zeros, which some programs read as octal.
    private static func ipv4(_ text: some StringProtocol) -> UInt32? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard let number = decimal(part), number <= 255 else { return nil }
            address = address << 8 | UInt32(number)
        }
        return address
    }

    /// All eight groups. A double colon stands for one or more missing groups.
    private static func groups(_ text: String) -> [UInt16]? {
        guard let gap = text.firstRange(of: "::") else {
            guard let groups = listed(text[...]), groups.count == 8 else { return nil }
            return groups
        }
        guard let front = listed(text[..<gap.lowerBound], mayEndAsIPv4: false),
            let back = listed(text[gap.upperBound...]), front.count + back.count < 8
        else { return nil }
        return front + [UInt16](repeating: 0, count: 8 - front.count - back.count) + back
    }

    /// Groups separated by colons; none in an empty text.
    private static func listed(_ text: Substring, mayEndAsIPv4: Bool = true) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var last: [UInt16] = []
        if mayEndAsIPv4, let address = parts.last.flatMap({ ipv4($0) }) {
            last = [UInt16(address >> 16), UInt16(truncatingIfNeeded: address)]
            parts.removeLast()
        }
        var groups: [UInt16] = []
        for part in parts {
            guard (1...4).contains(part.utf8.count), part.utf8.allSatisfy({ $0.hexDigit != nil }),
                let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups + last
    }
}

/// A number from 0 to 65535 in digits, without leading zeros; nil for any other text.
func decimal(_ text: some StringProtocol) -> UInt16? {
    guard text.utf8.allSatisfy(\.isDigit), text.utf8.count == 1 || text.utf8.first != UInt8(ascii: "0") else {
        return nil
    }
    return UInt16(text)
}
