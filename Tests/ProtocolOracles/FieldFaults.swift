import WebProtocols

/// The broken rule for a proxy's header fields, one on each line; nil if all hold.
public func forwardingFault(_ bytes: [UInt8]) -> String? {
    let names = ["Forwarded", "X-Forwarded-For", "X-Forwarded-Proto"]
    var headers = HeaderFields()
    for (index, line) in text(bytes).split(separator: "\n", omittingEmptySubsequences: false).prefix(8).enumerated() {
        guard HeaderFields.isValid(value: String(line)) else { continue }
        headers.append(names[index % names.count], String(line))
    }
    let trusted = [AddressBlock("10.0.0.0/8"), AddressBlock("fd00::/8")].compactMap { $0 }
    let forwarding = Forwarding(headers) { trusted.contains($0) }
    if forwarding.client != nil, !forwarding.isNamed { return "a client whom nobody names" }
    // With no trusted proxies the last one counts, and with all trusted the first.
    let last = Forwarding(headers) { _ in false }
    if let client = last.client, !trusted.contains(client), forwarding.client != client {
        return "\(forwarding) where \(client) is the last, and not trusted"
    }
    return forwarding.client.flatMap { addressFault($0) }
}

/// The broken rule for a text read as an IP address; nil if all hold.
public func ipAddressFault(_ text: String) -> String? {
    if let address = IPAddress(text), let fault = addressFault(address) { return fault }
    guard let block = AddressBlock(text) else { return nil }
    guard AddressBlock(block.description) == block else { return "\(block) reads otherwise than it was written" }
    return nil
}

/// The broken rule for a client's negotiation fields, one on each line; nil if all hold.
public func negotiationFault(_ bytes: [UInt8]) -> String? {
    let names = ["Accept-Encoding", "Accept-Language", "Accept", "If-None-Match", "Range", "If-Range"]
    var headers = HeaderFields()
    for (index, line) in text(bytes).split(separator: "\n", omittingEmptySubsequences: false).prefix(12).enumerated() {
        guard HeaderFields.isValid(value: String(line)) else { continue }
        headers.append(names[index % names.count], String(line))
    }
    guard let head = try? RequestHead(method: "GET", target: "/", headers: headers) else { return "no head" }
    let languages = ["en", "es", "de", "zh"]
    if let language = head.language(of: languages), !languages.contains(language) { return "the language \(language)" }
    if headers["Accept-Encoding"] == nil, head.accepts(coding: "gzip") { return "a coding that nobody asked for" }
    _ = (head.asksForPage, head.accepts(coding: "identity"))
    return nil
}

private func addressFault(_ address: IPAddress) -> String? {
    guard IPAddress(address.description) == address else { return "\(address) reads otherwise than it was written" }
    guard AddressBlock(address.description)?.contains(address) == true else { return "\(address) is not its own block" }
    return nil
}

private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
