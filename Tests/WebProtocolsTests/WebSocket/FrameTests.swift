import ProtocolOracles
import Testing

@testable import WebProtocols

/// One of the examples of RFC 6455 section 5.7: a row of the table below.
struct FrameExample: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: [UInt8]
    let sender: Endpoint
    let expected: [Incoming]

    init(_ sentence: String, _ bytes: [UInt8], from sender: Endpoint, gives expected: Incoming...) {
        (testDescription, self.bytes, self.sender, self.expected) = (sentence, bytes, sender, expected)
    }
}

private let hello = Array("Hello".utf8)

@Suite("Frames, the examples of RFC 6455 section 5.7")
struct FrameExampleTests {
    static let examples = [
        FrameExample(
            "a single-frame unmasked text message", [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], from: .server,
            gives: .message(.text, .assembled(hello))),
        FrameExample(
            "a single-frame masked text message",
            [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], from: .client,
            gives: .message(.text, .assembled(hello))),
        FrameExample(
            "a fragmented unmasked text message",
            [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F], from: .server,
            gives: .message(.text, .assembled(hello))),
        FrameExample(
            "an unmasked ping", [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], from: .server, gives: .ping(hello)),
        FrameExample(
            "a masked pong", [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58], from: .client,
            gives: .pong(hello)),
        FrameExample(
            "256 bytes of binary data", [0x82, 0x7E, 0x01, 0x00] + [UInt8](repeating: 7, count: 256), from: .server,
            gives: .message(.binary, .assembled([UInt8](repeating: 7, count: 256)))),
        FrameExample(
            "64 KiB of binary data",
            [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + [UInt8](repeating: 7, count: 65_536), from: .server,
            gives: .message(.binary, .assembled([UInt8](repeating: 7, count: 65_536)))),
    ]

    @Test("are decoded, whole and byte by byte", arguments: examples)
    func decodes(_ example: FrameExample) {
        let expected = MessageTranscript(example.expected)
        #expect(MessageTranscript(decoding: example.bytes, from: example.sender) == expected)
        #expect(
            MessageTranscript(decoding: example.bytes, cutAt: Array(example.bytes.indices), from: example.sender)
                == expected)
    }

    @Test("are the encodings of frames")
    func encodes() {
        #expect(Frame.text("Hello").bytes == Self.examples[0].bytes)
        #expect(Frame.masked(.text, payload: hello, mask: 0x37FA_213D) == Self.examples[1].bytes)
        #expect(Frame.ping(hello).bytes == Self.examples[3].bytes)
        #expect(Frame.masked(.pong, payload: hello, mask: 0x37FA_213D) == Self.examples[4].bytes)
        #expect(Frame.binary([UInt8](repeating: 7, count: 256)).bytes == Self.examples[5].bytes)
        #expect(Frame.binary([UInt8](repeating: 7, count: 65_536)).bytes == Self.examples[6].bytes)
    }
}

@Suite("Frames")
struct FrameTests {
    @Test(
        "A length has the fewest bytes that hold it (section 5.2)",
        arguments: zip([0, 1, 125, 126, 65_535, 65_536], [2, 2, 2, 4, 4, 10]))
    func minimalLength(payloadBytes: Int, size: Int) {
        let frame = Frame.binary([UInt8](repeating: 1, count: payloadBytes))
        #expect(frame.bytes.count == size + payloadBytes)
        #expect(FrameHeader(opcode: .binary, payloadBytes: payloadBytes).size == size)
    }

    @Test("A masked payload of any length and place is unmasked", arguments: 0..<40)
    func masking(count: Int) {
        let payload = (0..<count).map { UInt8($0) }
        for phase in 0..<8 {
            let masked = Frame.masked(.binary, payload: payload, mask: 0x0102_0304)
            #expect(masked.suffix(count).enumerated().allSatisfy { $1 == payload[$0] ^ UInt8($0 % 4 + 1) })
            let cut = MessageTranscript(decoding: masked, cutAt: [6 + phase])
            #expect(cut == MessageTranscript([.message(.binary, .assembled(payload))]))
        }
    }

    @Test("A close frame has its code and its reason")
    func close() {
        #expect(Frame.close(nil).bytes == [0x88, 0])
        #expect(Frame.close(.normal).bytes == [0x88, 2, 0x03, 0xE8])
        #expect(Frame.close(.goingAway, reason: "bye").bytes == [0x88, 5, 0x03, 0xE9] + Array("bye".utf8))
    }

    @Test("A close reason that is too long is cut before a character")
    func longReason() {
        let fits = String(repeating: "a", count: 122)
        #expect(Frame.close(.normal, reason: fits + "bc").bytes.count == 2 + 125)
        #expect(Frame.close(.normal, reason: fits + "ä").bytes == Frame.close(.normal, reason: fits).bytes)
    }

    @Test(
        "A close code may be sent if it is registered for that or free (section 7.4)",
        arguments: [
            (0, false), (999, false), (1000, true), (1003, true), (1004, false), (1005, false), (1006, false),
            (1007, true), (1014, true), (1015, false), (1016, false), (1100, false), (2000, false), (2999, false),
            (3000, true), (3999, true), (4000, true), (4999, true), (5000, false), (65_535, false),
        ] as [(UInt16, Bool)])
    func closeCodes(code: UInt16, isValid: Bool) {
        #expect(CloseCode(rawValue: code).isValidOnWire == isValid)
    }

    @Test("A close code that may not be sent cannot be encoded")
    func forbiddenCode() async {
        await #expect(processExitsWith: .failure) { _ = Frame.close(.noStatus) }
    }

    @Test("A control frame of 126 bytes cannot be encoded")
    func longControl() async {
        await #expect(processExitsWith: .failure) { _ = Frame.ping([UInt8](repeating: 0, count: 126)) }
    }
}
