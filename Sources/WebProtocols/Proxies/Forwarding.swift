/// The client that a proxy forwards for, by `Forwarded` (RFC 7239) or `X-Forwarded-For`. Only to be read from requests
/// of a trusted proxy.
public struct Forwarding: Equatable, Sendable {
    /// Whether a field names a client, even one that is not believed.
    public let isNamed: Bool
    /// Nil if no client is believed.
    public let client: IPAddress?
    /// Whether the client used https; nil if no field says so.
    public let isTLS: Bool?

    /// Each proxy appends the address that it was asked from. Read from the end, the first address that is not trusted
    /// is the client, since all entries before it came from there. The search ends at an entry that cannot be read.
    public init(_ headers: HeaderFields, isTrusted: (IPAddress) -> Bool) {
        let forwarded = headers.all("Forwarded")
            .flatMap { parts(of: $0.utf8[...], at: ",").filter { !$0.isEmpty }.map { Hop(element: $0) } }
        let listed = headers.members(of: "X-Forwarded-For").map { Hop(client: address($0[...])) }
        let ends = [forwarded, listed].filter { $0.contains(where: \.isNamed) }.map { walk($0, isTrusted) }
        isNamed = !ends.isEmpty
        // If two differ, one came from the client past a proxy that writes the other, and it is unknown which.
        let end = Set(ends.map(\.client)).count == 1 ? ends[0] : nil
        client = end?.client
        isTLS = end?.isTLS ?? headers.members(of: "X-Forwarded-Proto").last.flatMap { isSecure($0) }
    }
}

/// What one proxy says about its client.
private struct Hop {
    /// Nil if it is hidden, unknown or unreadable.
    var client: IPAddress?
    var isNamed = true
    var isTLS: Bool?

    init(client: IPAddress?) { self.client = client }

    /// Pairs separated by semicolons (RFC 7239 section 4). A malformed one says nothing.
    init(element: Text) {
        var values: [String: String] = [:]
        for pair in parts(of: element, at: ";") where !pair.isEmpty {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = String(parts[0]), name.isToken, let value = unquoted(parts[1]),
                values.updateValue(value, forKey: name.lowercased()) == nil
            else { return }
        }
        client = values["for"].flatMap { address($0[...]) }
        isNamed = values["for"] != nil
        isTLS = values["proto"].flatMap { isSecure($0) }
    }
}

private func walk(_ hops: [Hop], _ isTrusted: (IPAddress) -> Bool) -> Hop {
    var end = Hop(client: nil)
    for hop in hops.reversed() {
        end.isTLS = hop.isTLS
        guard let client = hop.client else { break }
        end.client = client
        if !isTrusted(client) { break }
    }
    return end
}

private func isSecure(_ scheme: String) -> Bool? { ["https": true, "http": false][scheme.lowercased()] }

/// An address with or without a port. IPv6 with a port is in brackets.
private func address(_ node: Substring) -> IPAddress? {
    if node.first == "[" {
        guard let end = node.firstIndex(of: "]"), isPort(node[node.index(after: end)...]) else { return nil }
        let inside = node[node.index(after: node.startIndex)..<end]
        return inside.contains(":") ? IPAddress(inside) : nil
    }
    guard let colon = node.firstIndex(of: ":"), colon == node.lastIndex(of: ":") else { return IPAddress(node) }
    return isPort(node[colon...]) ? IPAddress(node[..<colon]) : nil
}

/// Nothing, or a colon and a number or a hidden port (RFC 7239 section 6.2).
private func isPort(_ text: Substring) -> Bool {
    guard let colon = text.first else { return true }
    let port = text.dropFirst()
    let isHidden = port.hasPrefix("_") && port.utf8.count > 1 && port.isToken
    return colon == ":" && (isHidden || decimal(port) != nil)
}
