import WebProtocols

/// The broken rule for the first bytes of a connection; nil if all hold.
public func proxyHeaderFault(_ bytes: [UInt8], limit: Int) -> String? {
    /// The result once no further bytes can change it.
    enum Verdict: Equatable {
        case reading(ProxyHeader.Reading), refused(ProxyHeaderViolation)
    }
    func verdict(_ count: Int) -> Verdict {
        do throws(ProxyHeaderViolation) {
            return .reading(try ProxyHeader.read(Array(bytes.prefix(count)).span.bytes, limit: limit))
        } catch { return .refused(error) }
    }
    let whole = verdict(bytes.count)
    var isDecided = false
    for count in 1..<max(1, bytes.count) {
        let part = verdict(count)
        if part == .reading(.partial) {
            if isDecided { return "undecided again at \(count) bytes" }
            if count > limit { return "\(count) bytes are not enough" }
            continue
        }
        isDecided = true
        if part != whole { return "\(part) at \(count) bytes instead of \(whole)" }
    }
    if case .reading(.whole(let header)) = whole, header.byteCount > min(bytes.count, limit) {
        return "a header of \(header.byteCount) bytes"
    }
    return nil
}
