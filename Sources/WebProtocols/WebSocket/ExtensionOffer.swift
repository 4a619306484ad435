/// A member of `Sec-WebSocket-Extensions` (RFC 6455 section 9.1): an extension with its parameters, in order.
struct ExtensionOffer: Equatable, Sendable {
    struct Parameter: Equatable, Sendable {
        let name: String
        let value: String?
    }

    let name: String
    let parameters: [Parameter]

    /// The members of a field's value, first choice first; nil if it is malformed. Empty ones do not count (RFC 9110
    /// section 5.6.1).
    static func list(_ field: String) -> [ExtensionOffer]? {
        let members = WebProtocols.parts(of: field.utf8[...], at: ",").filter { !$0.isEmpty }
        let offers = members.compactMap { ExtensionOffer($0) }
        return offers.isEmpty || offers.count < members.count ? nil : offers
    }

    private init?(_ member: Text) {
        let parts = WebProtocols.parts(of: member, at: ";")
        name = String(Substring(parts[0]))
        parameters = parts.dropFirst().compactMap { Parameter($0) }
        guard name.isToken, parameters.count == parts.count - 1 else { return nil }
    }
}

extension ExtensionOffer.Parameter {
    /// The value is a token, or a quoted string whose content is a token too.
    fileprivate init?(_ text: Text) {
        let pair = text.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        name = String(Substring(pair[0].trimmed))
        value = pair.count == 2 ? unquoted(pair[1].trimmed) : nil
        guard name.isToken, pair.count == 1 || value?.isToken == true else { return nil }
    }
}
