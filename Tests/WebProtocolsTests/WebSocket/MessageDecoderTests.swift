import ProtocolOracles
import Testing

@testable import WebProtocols

/// Frames of a client and their meaning.
struct MessageCase: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let limits: MessageLimits
    let expected: MessageTranscript

    init(
        _ sentence: String, _ frames: [[UInt8]], limits: MessageLimits = MessageLimits(),
        gives incoming: [Incoming] = [],
        violation: FrameViolation? = nil
    ) {
        testDescription = sentence
        bytes = frames.flatMap { $0 }
        self.limits = limits
        expected = MessageTranscript(incoming, violation: violation)
    }

    /// Whole, byte by byte, and cut in two at every byte.
    func check() {
        #expect(MessageTranscript(decoding: bytes, limits: limits) == expected)
        #expect(MessageTranscript(decoding: bytes, cutAt: Array(bytes.indices), limits: limits) == expected)
        for cut in bytes.indices {
            #expect(MessageTranscript(decoding: bytes, cutAt: [cut], limits: limits) == expected, "cut at \(cut)")
        }
    }
}

/// A client's frame, with a key that changes every byte.
func clientFrame(_ opcode: Opcode, _ payload: [UInt8] = [], isFinal: Bool = true) -> [UInt8] {
    Frame.masked(opcode, payload: payload, isFinal: isFinal, mask: 0xA1B2_C3D4)
}

func clientFrame(_ opcode: Opcode, _ payload: String, isFinal: Bool = true) -> [UInt8] {
    clientFrame(opcode, Array(payload.utf8), isFinal: isFinal)
}

private func text(_ payload: String) -> Incoming { .message(.text, .assembled(Array(payload.utf8))) }

@Suite("Messages, RFC 6455 sections 5.4 to 5.6")
struct MessageDecoderTests {
    static let cases = [
        MessageCase("nothing gives nothing", []),
        MessageCase("an empty text", [clientFrame(.text)], gives: [text("")]),
        MessageCase(
            "several messages in a row",
            [clientFrame(.text, "one"), clientFrame(.binary, [0xFF]), clientFrame(.text, "two")],
            gives: [text("one"), .message(.binary, .assembled([0xFF])), text("two")]),
        MessageCase(
            "three fragments make a message",
            [
                clientFrame(.text, "a", isFinal: false), clientFrame(.continuation, "b", isFinal: false),
                clientFrame(.continuation, "c"),
            ], gives: [text("abc")]),
        MessageCase(
            "fragments may be empty",
            [
                clientFrame(.text, isFinal: false), clientFrame(.continuation, isFinal: false),
                clientFrame(.continuation),
                clientFrame(.binary, isFinal: false), clientFrame(.continuation, [1]),
            ], gives: [text(""), .message(.binary, .assembled([1]))]),
        MessageCase(
            "control frames come between fragments",
            [
                clientFrame(.text, "a", isFinal: false), clientFrame(.ping, [1]),
                clientFrame(.continuation, "b", isFinal: false),
                clientFrame(.pong), clientFrame(.continuation, "c"),
            ], gives: [.ping([1]), .pong([]), text("abc")]),
        MessageCase(
            "a close comes between fragments, and the message is lost",
            [clientFrame(.text, "a", isFinal: false), clientFrame(.close), clientFrame(.continuation, "b")],
            gives: [.close(nil, reason: "")]),
        MessageCase(
            "a close with code and reason", [clientFrame(.close, [0x03, 0xE8] + Array("bye".utf8))],
            gives: [.close(.normal, reason: "bye")]),
        MessageCase(
            "nothing is read behind a close", [clientFrame(.close, [0x0F, 0xA0]), [0xFF, 0xFF, 0xFF]],
            gives: [.close(CloseCode(rawValue: 4000), reason: "")]),
        MessageCase(
            "a code point may be cut by a fragment's end",
            [
                clientFrame(.text, [0xF0, 0x9F], isFinal: false), clientFrame(.ping),
                clientFrame(.continuation, [0x82], isFinal: false),
                clientFrame(.continuation, [0xA1]),
            ], gives: [.ping([]), text("\u{1F0A1}")]),
        MessageCase(
            "binary data need not be UTF-8", [clientFrame(.binary, [0xC0, 0xAF])],
            gives: [.message(.binary, .assembled([0xC0, 0xAF]))]),
        MessageCase(
            "control frames of 125 bytes", [clientFrame(.ping, [UInt8](repeating: 3, count: 125))],
            gives: [.ping([UInt8](repeating: 3, count: 125))]),
        MessageCase(
            "a frame and a message just within the limits",
            [
                clientFrame(.binary, [1, 2, 3, 4]), clientFrame(.binary, [1, 2, 3, 4], isFinal: false),
                clientFrame(.continuation, [5, 6]),
            ],
            limits: MessageLimits(frameBytes: 4, messageBytes: 6),
            gives: [.message(.binary, .assembled([1, 2, 3, 4])), .message(.binary, .assembled([1, 2, 3, 4, 5, 6]))]),
    ]

    @Test("Frames give the same messages however they are cut", arguments: cases)
    func decodes(_ row: MessageCase) { row.check() }

    @Test("A complete payload is unmasked in place")
    func inPlace() throws {
        var bytes = clientFrame(.ping) + clientFrame(.text, "Hello")
        var decoder = MessageDecoder(limits: MessageLimits())
        var (offset, found) = (0, [Incoming]())
        do {
            var span = bytes.mutableSpan
            var raw = span.mutableBytes
            while let incoming = try decoder.next(&raw, at: &offset) { found.append(incoming) }
        }
        #expect(found == [.ping([]), .message(.text, .inPlace(12..<17))])
        #expect(Array(bytes[12..<17]) == Array("Hello".utf8))
        #expect(decoder.isIdle)
    }

    @Test("No memory is reserved for a length that was only announced")
    func announcedLength() throws {
        var decoder = MessageDecoder(limits: MessageLimits(frameBytes: .max, messageBytes: .max))
        // 2^62 bytes: no program survives reserving them.
        var bytes: [UInt8] = [0x82, 0xFF, 0x40, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7]
        var offset = 0
        var span = bytes.mutableSpan
        var raw = span.mutableBytes
        #expect(try decoder.next(&raw, at: &offset) == nil)
        #expect(offset == 17)
        #expect(!decoder.isIdle)
    }

    @Test("A hundred thousand empty fragments leave nothing behind")
    func emptyFragments() {
        let empty = clientFrame(.continuation, isFinal: false)
        let flood =
            clientFrame(.text, "a", isFinal: false) + (0..<100_000).flatMap { _ in empty }
            + clientFrame(.continuation, "b")
        #expect(MessageTranscript(decoding: flood, cutAt: [1, 100, 10_000]) == MessageTranscript([text("ab")]))
    }
}
