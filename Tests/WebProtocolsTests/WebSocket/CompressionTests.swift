import ProtocolOracles
import Testing

@testable import WebProtocols

private func compressed(_ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true) -> [UInt8] {
    Frame.masked(opcode, payload: payload, isFinal: isFinal, isCompressed: true, mask: 0xA1B2_C3D4)
}

private func transcript(_ frames: [[UInt8]], limits: MessageLimits = MessageLimits()) throws -> MessageTranscript {
    let (inflater, bytes) = (try #require(Inflater()), frames.flatMap { $0 })
    let whole = MessageTranscript(decoding: bytes, limits: limits, inflater: inflater)
    for cut in bytes.indices {
        #expect(
            MessageTranscript(decoding: bytes, cutAt: [cut], limits: limits, inflater: inflater) == whole,
            "cut at \(cut)")
    }
    return whole
}

@Suite("Compressed messages, RFC 7692") struct CompressionTests {
    private static let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]

    @Test(
        "The RFC's examples, section 7.2.3",
        arguments: [
            ("one block", [compressed(.text, hello)]),
            (
                "two fragments",
                [
                    compressed(.text, [0xF2, 0x48, 0xCD], isFinal: false),
                    clientFrame(.continuation, [0xC9, 0xC9, 0x07, 0x00]),
                ]
            ),
            (
                "a block that is not compressed",
                [compressed(.text, [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00])]
            ),
            ("the last block said so", [compressed(.text, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00])]),
            ("the same, and nothing behind it", [compressed(.text, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00])]),
            (
                "two blocks",
                [compressed(.text, [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00])]
            ),
            (
                "an empty frame behind it",
                [compressed(.text, hello, isFinal: false), clientFrame(.continuation, [UInt8]())]
            ),
        ] as [(String, [[UInt8]])])
    func examples(row: (name: String, frames: [[UInt8]])) throws {
        let hello = Incoming.message(.text, .assembled(Array("Hello".utf8)))
        #expect(try transcript(row.frames) == MessageTranscript([hello]))
    }

    @Test("An empty message, a ping between fragments, and one that is not compressed among others")
    func mixed() throws {
        let frames = [
            compressed(.text, [0x00]), compressed(.binary, [0xF2, 0x48], isFinal: false), clientFrame(.ping, [1]),
            clientFrame(.continuation, [0xCD, 0xC9, 0xC9, 0x07, 0x00]), clientFrame(.text, "Hello"),
        ]
        let hello = Array("Hello".utf8)
        #expect(
            try transcript(frames)
                == MessageTranscript([
                    .message(.text, .assembled([])), .ping([1]), .message(.binary, .assembled(hello)),
                    .message(.text, .assembled(hello)),
                ]))
    }

    @Test(
        "An invalid compressed message ends the connection",
        arguments: [
            ("no deflate", [compressed(.text, [0xFF, 0xFF])], .invalidCompression),
            ("half of a block", [compressed(.text, [0xF2, 0x48])], .invalidCompression),
            ("nothing at all", [compressed(.text, [])], .invalidCompression),
            ("no UTF-8", [compressed(.text, [0x00, 0x01, 0x00, 0xFE, 0xFF, 0xFF, 0x00])], .invalidUTF8),
            ("a ping", [compressed(.ping, [])], .reservedBits(0x40)),
            ("a close", [compressed(.close, [])], .reservedBits(0x40)),
            (
                "a later fragment", [compressed(.text, [0xF2], isFinal: false), compressed(.continuation, [0x48])],
                .reservedBits(0x40)
            ),
            ("another bit besides", [[0xE1, 0x80, 0, 0, 0, 0]], .reservedBits(0x60)),
        ] as [(String, [[UInt8]], FrameViolation)])
    func refuses(row: (name: String, frames: [[UInt8]], violation: FrameViolation)) throws {
        #expect(try transcript(row.frames).violation == row.violation)
    }

    @Test("A bomb uses no more memory than a message may have", arguments: [400, 65_536])
    func bomb(limit: Int) throws {
        let (deflater, zeros) = (Deflater(), [UInt8](repeating: 0, count: 16 << 20))
        let all = deflater.compress(zeros.span.bytes, windowBits: 15)
        let payload = try #require(all)
        let limits = MessageLimits(frameBytes: 65_536, messageBytes: limit)
        let inflater = try #require(Inflater())
        let bytes = compressed(.binary, Array(payload.prefix(limit)))
        let found = MessageTranscript(decoding: bytes, limits: limits, inflater: inflater)
        #expect(found == MessageTranscript(violation: .messageTooLong(bytes: limit + 1, limit: limit)))
        #expect(inflater.withMessage { $0.byteCount } == limit + 1)
        // A message of exactly the limit is not a bomb.
        let some = deflater.compress(zeros.span.bytes.extracting(0..<limit), windowBits: 15)
        let most = try #require(some)
        let taken = MessageTranscript(decoding: compressed(.binary, most), limits: limits, inflater: inflater)
        #expect(taken == MessageTranscript([.message(.binary, .assembled(Array(zeros.prefix(limit))))]))
    }

    @Test("Sent messages can be inflated within the requested window", arguments: 8...15)
    func windows(bits: Int) throws {
        var generator = SeededGenerator(seed: UInt64(bits))
        // Repeats so far apart that only a larger window would see them.
        let part = (0..<600 << (bits - 8)).map { _ in UInt8.random(in: 0...3, using: &generator) }
        let frame = Frame.binary(part + part + part)
        let agreed = try #require(try PerMessageDeflate.agreed(by: [offer("server_max_window_bits=\(bits)")]))
        let bytes = frame.bytes(for: agreed, by: Deflater())
        let again = Frame.binary(part + part + part).bytes(for: agreed, by: Deflater())
        #expect(bytes.count < frame.bytes.count)
        #expect(bytes == again)
        let inflater = try #require(Inflater())
        let found = MessageTranscript(
            decoding: bytes, limits: MessageLimits(frameBytes: .max, messageBytes: .max), from: .server,
            inflater: inflater)
        #expect(found == MessageTranscript([.message(.binary, .assembled(part + part + part))]))
    }

    @Test("A message that is short, or would not shrink, is sent as it is")
    func asItIs() throws {
        let agreed = try #require(try PerMessageDeflate.agreed(by: [offer("")]))
        var generator = SeededGenerator(seed: 1)
        let noise = (0..<4_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        for frame in [
            Frame.text([UInt8](repeating: 65, count: Frame.compressionBytes - 1)), .binary(noise), .ping(), .text(""),
        ] {
            #expect(frame.bytes(for: agreed, by: Deflater()) == frame.bytes)
        }
        let text = Frame.text([UInt8](repeating: 65, count: Frame.compressionBytes))
        #expect(text.bytes(for: agreed, by: Deflater()).count < 40)
    }

    private func offer(_ parameters: String) throws -> ExtensionOffer {
        let field = parameters.isEmpty ? "permessage-deflate" : "permessage-deflate; \(parameters)"
        return try #require(ExtensionOffer.list(field)?.first)
    }

    private static let answer = "permessage-deflate; server_no_context_takeover; client_no_context_takeover"

    @Test(
        "Offers are accepted or skipped, section 7.1",
        arguments: [
            ("permessage-deflate", answer),
            ("permessage-deflate; client_max_window_bits", answer),
            ("PerMessage-Deflate; client_max_window_bits=10", answer),
            ("permessage-deflate; server_no_context_takeover; client_no_context_takeover", answer),
            ("permessage-deflate; server_max_window_bits=15", answer + "; server_max_window_bits=15"),
            ("permessage-deflate; server_max_window_bits=\"9\"", answer + "; server_max_window_bits=9"),
            ("permessage-deflate;server_max_window_bits=8", answer + "; server_max_window_bits=8"),
            ("x-other, permessage-deflate; a=1 , permessage-deflate ;client_max_window_bits", answer),
            ("permessage-deflate; server_max_window_bits=7, permessage-deflate", answer),
            ("permessage-deflate; server_max_window_bits", nil),
            ("permessage-deflate; server_max_window_bits=16", nil),
            ("permessage-deflate; server_max_window_bits=08", nil),
            ("permessage-deflate; client_max_window_bits=16", nil),
            ("permessage-deflate; server_no_context_takeover=1", nil),
            ("permessage-deflate; client_no_context_takeover; client_no_context_takeover", nil),
            ("permessage-deflate; unknown", nil),
            (",, permessage-bzip2,", nil),
        ] as [(String, String?)])
    func offers(row: (field: String, answer: String?)) throws {
        let head = try HandshakeCase("with extensions", add: [("Sec-WebSocket-Extensions", row.field)]).head()
        let acceptance = try OpeningHandshake.accept(head)
        let response = String(decoding: acceptance.response, as: UTF8.self)
        #expect(acceptance.compression?.field == row.answer)
        #expect(response.contains("Sec-WebSocket-Extensions") == (row.answer != nil))
        if let answer = row.answer { #expect(response.contains("\r\nSec-WebSocket-Extensions: \(answer)\r\n")) }
    }

    @Test(
        "An invalid list of extensions is refused, RFC 6455 section 9.1",
        arguments: ["", ";", "a;", "a; b=", "a b", "a; b=\"c", "a; b=\"c d\"", "a; =b", "ä", ","])
    func malformed(field: String) throws {
        let head = try HandshakeCase("with extensions", add: [("Sec-WebSocket-Extensions", field)]).head()
        #expect(throws: HandshakeRefusal.malformedExtensions) { try OpeningHandshake.accept(head) }
    }
}
