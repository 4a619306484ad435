/// How two ends have agreed to compress messages (RFC 7692 section 7). No context outlives a message, in either
/// direction. A silent connection keeps none, and a message for many is compressed once for all.
public struct PerMessageDeflate: Equatable, Sendable {
    /// How far back a message may refer to itself, as far as the client can keep: 8 to 15, for 256 bytes to 32 KiB.
    public var windowBits: Int { Int(bits) }
    /// In one byte, since each connection has it.
    private let bits: UInt8
    /// Whether the client asks for a window. The answer then says which it gets (section 7.1.2.1).
    private let isWindowAsked: Bool

    /// The first of `offers` that can be met; nil if there is none (section 7.1).
    static func agreed(by offers: [ExtensionOffer]) -> PerMessageDeflate? {
        offers.lazy.compactMap { PerMessageDeflate($0) }.first
    }

    /// Nil if a parameter is unknown, appears twice or has a wrong value. Such an offer is ignored (section 5.1).
    private init?(_ offer: ExtensionOffer) {
        guard offer.name.matches("permessage-deflate") else { return nil }
        var windowBits = 15
        var names: Set<String> = []
        for parameter in offer.parameters {
            guard names.insert(parameter.name).inserted else { return nil }
            switch (parameter.name, parameter.value) {
            // Both are always so, and a client may make its own window as small as it likes.
            case ("server_no_context_takeover", nil), ("client_no_context_takeover", nil): continue
            case ("client_max_window_bits", nil): continue
            case ("client_max_window_bits", let value?):
                guard Self.windowBits(value) != nil else { return nil }
            case ("server_max_window_bits", let value?):
                guard let bits = Self.windowBits(value) else { return nil }
                windowBits = bits
            default: return nil
            }
        }
        bits = UInt8(windowBits)
        isWindowAsked = names.contains("server_max_window_bits")
    }

    /// The field of the answer to the offer.
    var field: String {
        let window = isWindowAsked ? "; server_max_window_bits=\(windowBits)" : ""
        return "permessage-deflate; server_no_context_takeover; client_no_context_takeover" + window
    }

    /// 8 to 15, without a leading zero (section 7.1.2).
    private static func windowBits(_ value: String) -> Int? {
        guard let bits = Int(value), (8...15).contains(bits), value == "\(bits)" else { return nil }
        return bits
    }
}
