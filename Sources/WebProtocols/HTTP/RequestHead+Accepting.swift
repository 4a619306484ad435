// What a client accepts (RFC 9110 section 12.5).
extension RequestHead {
    /// Whether the client accepts an answer in `coding`, by its Accept-Encoding (RFC 9110 section 12.5.3).
    public func accepts(coding: String) -> Bool {
        // The weight of the coding itself counts more than the one of `*`. x-gzip is gzip (section 8.4.1.3).
        [coding, "x-" + coding, "*"].lazy.compactMap { isWelcome($0, in: "Accept-Encoding") }.first ?? false
    }

    /// Whether If-Match names other tags than this one, so that the answer is 412 (RFC 9110 section 13.1.1). Weak tags
    /// never match.
    public func failsMatch(tag: String) -> Bool {
        guard headers["If-Match"] != nil else { return false }
        return !headers.members(of: "If-Match").contains { $0 == tag || $0 == "*" }
    }

    /// Whether If-None-Match names this tag (RFC 9110 section 13.1.2). Weak tags match as well.
    public func hasMatch(tag: String) -> Bool {
        headers.members(of: "If-None-Match").contains { $0 == tag || $0 == "W/" + tag || $0 == "*" }
    }

    /// Whether Accept names `text/html`, as browsers do when they open a page. Programs send `*/*` or nothing.
    public var asksForPage: Bool { isWelcome("text/html", in: "Accept") ?? false }

    /// The client's favourite of these languages, by its Accept-Language (RFC 9110 section 12.5.4). `de-AT` means `de`
    /// as well. `zh` is Chinese in simplified characters. Nil if the client asks for none of them.
    public func language(of languages: [String]) -> String? {
        let asked = headers.members(of: "Accept-Language")
            .map { $0.split(separator: ";").map { $0.trimmed.lowercased() } }
        let readsTraditional = asked.contains { isTraditional($0.first ?? "") }
        var (chosen, best) = (String?.none, 0.0)
        for parts in asked {
            let tag = parts.first ?? ""
            let name = tag.split(separator: "-").first.map { String($0) } ?? ""
            // Browsers add a plain `zh` to `zh-TW`.
            guard languages.contains(name), !isTraditional(tag), !(readsTraditional && tag == "zh") else { continue }
            let weight = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            // Of two equal weights, the first counts.
            if weight > best { (chosen, best) = (name, weight) }
        }
        return chosen
    }

    /// Whether this tag, in lower case, means Chinese in traditional characters, by its script or its region.
    private func isTraditional(_ tag: String) -> Bool {
        let parts = tag.split(separator: "-")
        return parts.count > 1 && parts[0] == "zh" && ["hant", "tw", "hk", "mo"].contains(parts[1])
    }

    /// Nil if the list of this field does not name it.
    private func isWelcome(_ name: String, in field: String) -> Bool? {
        for member in headers.members(of: field) {
            let parts = member.split(separator: ";").map { $0.trimmed }
            guard parts.first?.lowercased() == name else { continue }
            // A weight of nothing but zeros: `q=0`, `q=0.000`.
            return !parts.dropFirst().contains { part in
                part.lowercased().hasPrefix("q=") && part.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." }
            }
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmed: Substring { Substring(utf8.trimmed) }
}
