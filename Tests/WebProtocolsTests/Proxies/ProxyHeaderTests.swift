import ProtocolOracles
import Testing

@testable import WebProtocols

/// HAProxy's `proxy-protocol.txt`, section 2.
@Suite("The PROXY protocol") struct ProxyHeaderTests {
    private static let signature: [UInt8] = Array("\r\n\r\n\0\r\nQUIT\n".utf8)
    private static let ipv4: [UInt8] = [192, 0, 2, 1, 192, 0, 2, 2, 0x30, 0x39, 1, 187]
    private static let ipv6: [UInt8] =
        [0x20, 1, 0xD, 0xB8] + [UInt8](repeating: 0, count: 11) + [1] + [UInt8](repeating: 2, count: 16) + [0, 1, 0, 2]
    private static let limit = 300

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
        var client: String?
        var violation: ProxyHeaderViolation?

        init(_ line: String, _ client: String? = nil, refused violation: ProxyHeaderViolation? = nil) {
            (testDescription, bytes, self.client, self.violation) = (
                line, Array((line + "\r\n").utf8), client, violation
            )
        }

        /// Version 2: its 13th and 14th byte, and what comes after its length.
        init(
            _ name: String, _ version: UInt8, _ family: UInt8, _ rest: [UInt8], length: Int? = nil,
            _ client: String? = nil, refused violation: ProxyHeaderViolation? = nil
        ) {
            let length = length ?? rest.count
            bytes = signature + [version, family, UInt8(length >> 8), UInt8(length & 0xFF)] + rest
            (testDescription, self.client, self.violation) = (name, client, violation)
        }
    }

    private static let tlv: [UInt8] = [0x04, 0, 3, 0, 0, 0]
    private static let unix = [UInt8](repeating: 0x61, count: 216)

    static let whole = [
        Row("PROXY TCP4 192.168.0.1 192.168.0.11 56324 443", "192.168.0.1"),
        Row("PROXY TCP4 255.255.255.255 255.255.255.255 65535 65535", "255.255.255.255"),
        Row("PROXY TCP6 2001:db8::1 ::1 0 1", "2001:db8::1"),
        Row("PROXY TCP6 ::ffff:192.0.2.1 ::1 1 1", "192.0.2.1"),
        Row("PROXY UNKNOWN"),
        Row("PROXY UNKNOWN " + String(repeating: "f", count: 107 - 16)),
        Row("TCP over IPv4", 0x21, 0x11, ipv4, "192.0.2.1"),
        Row("UDP over IPv4", 0x21, 0x12, ipv4, "192.0.2.1"),
        Row("TCP over IPv6", 0x21, 0x21, ipv6, "2001:db8::1"),
        Row("with more behind the addresses", 0x21, 0x11, ipv4 + tlv, "192.0.2.1"),
        Row("as long as may be", 0x21, 0x21, ipv6 + [UInt8](repeating: 9, count: limit - 16 - 36), "2001:db8::1"),
        Row("UNIX", 0x21, 0x31, unix),
        Row("unspecified", 0x21, 0x00, []),
        Row("unspecified, with something behind", 0x21, 0x00, tlv),
        Row("IPv4 over nothing that is known", 0x21, 0x10, ipv4),
        Row("the proxy's own", 0x20, 0x00, []),
        Row("the proxy's own, whatever it says", 0x20, 0xFF, ipv4),
    ]

    static let bad = [
        Row("PROXY ", refused: .malformedLine),
        Row("PROXY / HTTP/1.1", refused: .malformedLine),
        Row("PROXY \u{301}", refused: .malformedLine),
        Row("PROXY TCP4", refused: .malformedLine),
        Row("PROXY UNKNOWNS", refused: .malformedLine),
        Row("PROXY tcp4 192.0.2.1 192.0.2.2 1 2", refused: .malformedLine),
        Row("PROXY TCP4 192.0.2.1 192.0.2.2 1", refused: .malformedLine),
        Row("PROXY TCP4 192.0.2.1 192.0.2.2 1 2 ", refused: .malformedLine),
        Row("PROXY TCP4  192.0.2.1 192.0.2.2 1 2", refused: .malformedLine),
        Row("PROXY TCP4 192.0.2.01 192.0.2.2 1 2", refused: .malformedLine),
        Row("PROXY TCP4 192.0.2.1 192.0.2.2 01 2", refused: .malformedLine),
        Row("PROXY TCP4 192.0.2.1 192.0.2.2 1 65536", refused: .malformedLine),
        Row("PROXY TCP4 ::1 ::1 1 2", refused: .malformedLine),
        Row("PROXY TCP6 192.0.2.1 192.0.2.2 1 2", refused: .malformedLine),
        Row("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n", refused: .malformedLine),
        Row("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r", refused: .malformedLine),
        Row("PROXY UNKNOWN " + String(repeating: "f", count: 107 - 15), refused: .lineTooLong),
        Row("version 1 in binary", 0x11, 0x11, ipv4, refused: .unknownVersion(1)),
        Row("a third command", 0x22, 0x11, ipv4, refused: .unknownCommand(2)),
        Row("a fifth family", 0x21, 0x41, ipv4, refused: .unknownFamily(0x41)),
        Row("a fourth transport", 0x21, 0x13, ipv4, refused: .unknownFamily(0x13)),
        Row("IPv4, cut", 0x21, 0x11, Array(ipv4.dropLast()), refused: .tooShort(bytes: 11, needed: 12)),
        Row("IPv6 as long as IPv4", 0x21, 0x21, ipv4, refused: .tooShort(bytes: 12, needed: 36)),
        Row("UNIX, cut", 0x21, 0x31, Array(unix.dropLast()), refused: .tooShort(bytes: 215, needed: 216)),
        Row("past the limit", 0x21, 0x11, ipv4, length: limit - 15, refused: .tooLong(bytes: limit + 1, limit: limit)),
        Row("the longest", 0x20, 0x00, [], length: 65_535, refused: .tooLong(bytes: 65_551, limit: limit)),
    ]

    private func read(_ bytes: some Collection<UInt8>) throws(ProxyHeaderViolation) -> ProxyHeader.Reading {
        try ProxyHeader.read(Array(bytes).span.bytes, limit: Self.limit)
    }

    @Test("a header gives the client, and where the rest begins", arguments: whole)
    func reads(row: Row) throws {
        let header = ProxyHeader(client: row.client.flatMap { IPAddress($0) }, byteCount: row.bytes.count)
        for rest in ["", "GET / HTTP/1.1\r\n", "PROXY TCP4 192.0.2.9 192.0.2.9 1 1\r\n"] {
            #expect(try read(row.bytes + rest.utf8) == .whole(header))
        }
        #expect(row.client == nil || header.client != nil)
        for count in row.bytes.indices { #expect(try read(row.bytes.prefix(count)) == .partial, "\(count) bytes") }
    }

    @Test("an invalid header is refused, and no part of it is mistaken for something else", arguments: bad)
    func refuses(row: Row) throws {
        let violation = try #require(row.violation)
        #expect(throws: violation) { try read(row.bytes) }
        #expect(violation.sentence.hasSuffix("."))
        for count in row.bytes.indices {
            do throws(ProxyHeaderViolation) {
                #expect(try read(row.bytes.prefix(count)) == .partial, "\(count) bytes")
            } catch { #expect(error == violation, "\(count) bytes") }
        }
    }

    @Test(
        "a connection that begins with HTTP, TLS or anything else has no header",
        arguments: [
            "GET / HTTP/1.1\r\n", "PROPFIND / HTTP/1.1\r\n", "PROXYX / HTTP/1.1", "proxy TCP4", "\r\nGET /",
            "\r\n\r\nGET /", "\u{16}\u{3}\u{1}", "\r\n\r\n\0\r\nQUIX",
        ])
    func absent(start: String) throws {
        #expect(try read(start.utf8) == .absent)
    }

    @Test("random bytes after each beginning break nothing")
    func random() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        for row in Self.whole + Self.bad {
            for _ in 0..<50 {
                var bytes = row.bytes
                for _ in 0..<3 {
                    bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
                }
                if let fault = proxyHeaderFault(bytes, limit: Self.limit) { Issue.record("\(fault), seed \(seed)") }
            }
        }
    }
}
