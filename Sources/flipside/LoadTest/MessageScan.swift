// Reads a message's bytes by pointer, for the length of a call; what leaves this file is a Swift value.

/// Finds what the load tester needs in a hub's message without parsing the rest, since it takes as many messages as the
/// hub sends. It relies on the order of the hub's fields, which start with `v`, `t` and `type`.
struct MessageScan {
    enum Kind: CaseIterable {
        case welcome, resume, ok, error, proposed, showCard, match, hideCard, turn, gameEnded, other

        fileprivate var name: StaticString {
            switch self {
            case .welcome: "welcome"
            case .resume: "resume"
            case .ok: "ok"
            case .error: "error"
            case .proposed: "proposed"
            case .showCard: "show-card"
            case .match: "match"
            case .hideCard: "hide-card"
            case .turn: "turn"
            case .gameEnded: "game-ended"
            case .other: ""
            }
        }
    }

    let kind: Kind
    /// Nil if it is not an event.
    let version: Int?
    private let bytes: UnsafeRawBufferPointer

    /// Calls `body` with the scan of `message`.
    static func with(_ message: RawSpan, _ body: (MessageScan) -> Void) {
        message.withUnsafeBytes { body(MessageScan($0)) }
    }

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        var offset = 0
        version = Self.skip(#"{"v":"#, bytes, &offset) ? Self.number(bytes, &offset) : nil
        if version != nil {
            _ = Self.skip(#","t":"#, bytes, &offset)
            _ = Self.number(bytes, &offset)
        }
        guard Self.skip(version == nil ? #"{"type":""# : #","type":""#, bytes, &offset) else {
            kind = .other
            return
        }
        let start = offset
        kind =
            Kind.allCases.dropLast().first { kind in
                offset = start
                return Self.skip(kind.name, bytes, &offset) && Self.skip("\"", bytes, &offset)
            } ?? .other
    }

    /// The first whole number after `key`, as in `"cell":`.
    func number(_ key: StaticString) -> Int? {
        guard var offset = find(key) else { return nil }
        return Self.number(bytes, &offset)
    }

    /// The text after `key`, as in `"face":"`, up to the next quotation mark.
    func text(_ key: StaticString) -> String? {
        guard let start = find(key) else { return nil }
        return String(decoding: bytes[start...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
    }

    /// The offset after the first `key`.
    private func find(_ key: StaticString) -> Int? {
        var start = 0
        while start + key.utf8CodeUnitCount <= bytes.count {
            var offset = start
            if bytes[start] == key.utf8Start.pointee, Self.skip(key, bytes, &offset) { return offset }
            start += 1
        }
        return nil
    }

    private static func skip(_ text: StaticString, _ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard offset + count <= bytes.count else { return false }
        for index in 0..<count where bytes[offset + index] != text.utf8Start[index] { return false }
        offset += count
        return true
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ offset: inout Int) -> Int? {
        let start = offset
        var number = 0
        // Eighteen digits cannot overflow.
        while offset < bytes.count, offset - start < 18, (0x30...0x39).contains(bytes[offset]) {
            number = number * 10 + Int(bytes[offset] - 0x30)
            offset += 1
        }
        return offset > start ? number : nil
    }
}
