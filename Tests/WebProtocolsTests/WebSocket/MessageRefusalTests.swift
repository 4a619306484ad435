import ProtocolOracles
import Testing

@testable import WebProtocols

@Suite("Frames that end the connection, RFC 6455 sections 5, 7 and 8")
struct MessageRefusalTests {
    static let framing = [
        MessageCase("RSV1 without an extension", [[0xC1, 0x80, 0, 0, 0, 0]], violation: .reservedBits(0x40)),
        MessageCase("RSV2", [[0xA1, 0x80, 0, 0, 0, 0]], violation: .reservedBits(0x20)),
        MessageCase("RSV3", [[0x91, 0x80, 0, 0, 0, 0]], violation: .reservedBits(0x10)),
        MessageCase("a reserved data opcode", [[0x83, 0x80, 0, 0, 0, 0]], violation: .unknownOpcode(3)),
        MessageCase("a reserved control opcode", [[0x8B, 0x80, 0, 0, 0, 0]], violation: .unknownOpcode(11)),
        MessageCase("a client that does not mask", [[0x81, 0x00]], violation: .unmasked),
        MessageCase("a fragmented ping", [clientFrame(.ping, isFinal: false)], violation: .fragmentedControl(.ping)),
        MessageCase("a fragmented close", [clientFrame(.close, isFinal: false)], violation: .fragmentedControl(.close)),
        MessageCase(
            "a ping of 126 bytes", [clientFrame(.ping, [UInt8](repeating: 0, count: 126))],
            violation: .controlTooLong(.ping)),
        MessageCase(
            "a length of 125 in two bytes", [[0x82, 0xFE, 0, 125, 0, 0, 0, 0]], violation: .lengthNotMinimal(125)),
        MessageCase(
            "a length of 65,535 in eight bytes", [[0x82, 0xFF, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0, 0, 0]],
            violation: .lengthNotMinimal(65_535)),
        MessageCase(
            "a length of 2^63", [[0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]], violation: .lengthTopBit),
        MessageCase(
            "a length of 2^64 - 1", [[0x82, 0xFF] + [UInt8](repeating: 0xFF, count: 12)], violation: .lengthTopBit),
        MessageCase(
            "a length of 2^63 - 1", [[0x82, 0xFF, 0x7F] + [UInt8](repeating: 0xFF, count: 7) + [0, 0, 0, 0]],
            violation: .frameTooLong(bytes: .max, limit: 65_536)),
        MessageCase(
            "a frame one byte past the limit", [clientFrame(.binary, [1, 2, 3, 4, 5])],
            limits: MessageLimits(frameBytes: 4, messageBytes: 8), violation: .frameTooLong(bytes: 5, limit: 4)),
        MessageCase(
            "fragments one byte past the limit",
            [clientFrame(.binary, [1, 2, 3, 4], isFinal: false), clientFrame(.continuation, [5, 6, 7])],
            limits: MessageLimits(frameBytes: 4, messageBytes: 6), violation: .messageTooLong(bytes: 7, limit: 6)),
        MessageCase("a continuation of nothing", [clientFrame(.continuation, "a")], violation: .unexpectedContinuation),
        MessageCase(
            "a continuation behind the end",
            [
                clientFrame(.text, "a", isFinal: false), clientFrame(.continuation, "b"),
                clientFrame(.continuation, "c"),
            ],
            gives: [.message(.text, .assembled(Array("ab".utf8)))], violation: .unexpectedContinuation),
        MessageCase(
            "a new message within a message", [clientFrame(.text, "a", isFinal: false), clientFrame(.binary, "b")],
            violation: .interruptedMessage(.binary)),
        MessageCase(
            "a violation behind good messages",
            [clientFrame(.text, "a"), clientFrame(.ping), [0x8F, 0x80], clientFrame(.text, "b")],
            gives: [.message(.text, .assembled(Array("a".utf8))), .ping([])], violation: .unknownOpcode(15)),
    ]

    static let closing =
        [
            MessageCase("a close with half a code", [clientFrame(.close, [3])], violation: .halfCloseCode),
            MessageCase(
                "a close with a reason that is not UTF-8", [clientFrame(.close, [0x03, 0xE8, 0xC3])],
                violation: .invalidCloseReason),
        ]
        + [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535].map { (code: UInt16) in
            MessageCase(
                "a close with code \(code)", [clientFrame(.close, [UInt8(code >> 8), UInt8(code & 0xFF)])],
                violation: .invalidCloseCode(code))
        }

    static let texts = [
        MessageCase("a text that is not UTF-8", [clientFrame(.text, [0x61, 0xFF])], violation: .invalidUTF8),
        MessageCase(
            "a text that ends within a code point", [clientFrame(.text, [0x61, 0xE2, 0x82])], violation: .invalidUTF8),
        MessageCase(
            "fragments that end within a code point",
            [clientFrame(.text, [0xE2], isFinal: false), clientFrame(.continuation, [0x82])], violation: .invalidUTF8),
        MessageCase(
            "a code point whose rest lies in no later fragment",
            [clientFrame(.text, [0xE2, 0x82], isFinal: false), clientFrame(.continuation, [0x61])],
            violation: .invalidUTF8),
        MessageCase(
            "fragments of a surrogate",
            [clientFrame(.text, [0xED], isFinal: false), clientFrame(.continuation, [0xA0, 0x80])],
            violation: .invalidUTF8),
    ]

    @Test(
        "A violation is found however the bytes are cut, after all that came before",
        arguments: framing + closing + texts)
    func refuses(_ row: MessageCase) { row.check() }

    @Test("A client refuses a masked frame (section 5.1)")
    func masked() {
        let transcript = MessageTranscript(decoding: clientFrame(.text, "a"), from: .server)
        #expect(transcript == MessageTranscript(violation: .masked))
    }

    @Test(
        "A text fails at the first byte that cannot become UTF-8, not at the frame's end (section 8.1)",
        arguments: [
            [0xFF], [0x80], [0xC0], [0xC1], [0xF5], [0xE0, 0x80], [0xE0, 0x9F], [0xED, 0xA0], [0xF0, 0x8F],
            [0xF4, 0x90],
            [0xE2, 0x28], [0xE2, 0x82, 0x28], [0xF0, 0x9F, 0x28], [0xF0, 0x9F, 0x82, 0x28],
        ] as [[UInt8]])
    func failsFast(bad: [UInt8]) {
        // A frame of ten bytes, the rest of which never comes.
        let start = clientFrame(.text, Array("ab".utf8) + bad + [UInt8](repeating: 0x61, count: 8 - bad.count))
        let (upToBad, short) = (Array(start.prefix(6 + 2 + bad.count)), Array(start.prefix(6 + 2 + bad.count - 1)))
        #expect(MessageTranscript(decoding: upToBad) == MessageTranscript(violation: .invalidUTF8))
        #expect(MessageTranscript(decoding: upToBad, cutAt: Array(upToBad.indices)).violation == .invalidUTF8)
        #expect(MessageTranscript(decoding: short) == MessageTranscript())
    }

    @Test("A decoder that has thrown ignores everything")
    func staysEnded() throws {
        var decoder = MessageDecoder(limits: MessageLimits())
        var bytes = [0xFF, 0xFF] + clientFrame(.text, "a")
        var offset = 0
        var span = bytes.mutableSpan
        var raw = span.mutableBytes
        #expect(throws: FrameViolation.reservedBits(0x70)) { try decoder.next(&raw, at: &offset) }
        offset = 0
        #expect(try decoder.next(&raw, at: &offset) == nil)
        #expect(offset == raw.byteCount)
    }

    @Test(
        "A violation has the close code of RFC 6455 section 7.4.1",
        arguments: [
            (.reservedBits(0x40), .protocolError), (.unmasked, .protocolError), (.lengthTopBit, .protocolError),
            (.invalidCloseCode(999), .protocolError), (.frameTooLong(bytes: 2, limit: 1), .messageTooBig),
            (.messageTooLong(bytes: 2, limit: 1), .messageTooBig), (.invalidUTF8, .invalidPayload),
            (.invalidCloseReason, .invalidPayload),
        ] as [(FrameViolation, CloseCode)])
    func closeCode(violation: FrameViolation, code: CloseCode) {
        #expect(violation.closeCode == code)
        #expect(Frame.close(code, reason: violation.sentence).bytes.count == 4 + violation.sentence.utf8.count)
    }
}
