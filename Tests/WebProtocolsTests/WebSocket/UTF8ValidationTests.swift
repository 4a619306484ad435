import ProtocolOracles
import Testing

@testable import WebProtocols

@Suite("UTF-8, RFC 3629")
struct UTF8ValidationTests {
    /// Bytes and whether they are UTF-8, after Kuhn's stress test. The names describe the rows.
    static let table: [(String, [UInt8], Bool)] = [
        ("nothing", [], true),
        ("kosme", [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5], true),
        ("the first of one byte", [0x00], true),
        ("the first of two bytes", [0xC2, 0x80], true),
        ("the first of three bytes", [0xE0, 0xA0, 0x80], true),
        ("the first of four bytes", [0xF0, 0x90, 0x80, 0x80], true),
        ("the last of one byte", [0x7F], true),
        ("the last of two bytes", [0xDF, 0xBF], true),
        ("the last of three bytes", [0xEF, 0xBF, 0xBF], true),
        ("the last of all", [0xF4, 0x8F, 0xBF, 0xBF], true),
        ("one past the last", [0xF4, 0x90, 0x80, 0x80], false),
        ("U+1FFFFF", [0xF7, 0xBF, 0xBF, 0xBF], false),
        ("five bytes", [0xF8, 0x88, 0x80, 0x80, 0x80], false),
        ("six bytes", [0xFC, 0x84, 0x80, 0x80, 0x80, 0x80], false),
        ("below the surrogates", [0xED, 0x9F, 0xBF], true),
        ("above the surrogates", [0xEE, 0x80, 0x80], true),
        ("the first surrogate", [0xED, 0xA0, 0x80], false),
        ("the last surrogate", [0xED, 0xBF, 0xBF], false),
        ("a pair of surrogates", [0xED, 0xA0, 0x80, 0xED, 0xB0, 0x80], false),
        ("the replacement character", [0xEF, 0xBF, 0xBD], true),
        ("a noncharacter", [0xEF, 0xBF, 0xBE], true),
        ("a continuation alone", [0x80], false),
        ("two continuations", [0xBF, 0x80], false),
        ("a lead of two alone", [0xC3, 0x20], false),
        ("a lead of three alone", [0xE2, 0x20], false),
        ("a lead of four alone", [0xF0, 0x20], false),
        ("three bytes cut to two", [0xE2, 0x82, 0x41], false),
        ("four bytes cut to three", [0xF0, 0x9F, 0x82, 0x41], false),
        ("impossible bytes", [0xFE, 0xFF], false),
        ("an overlong slash of two", [0xC0, 0xAF], false),
        ("an overlong slash of three", [0xE0, 0x80, 0xAF], false),
        ("an overlong slash of four", [0xF0, 0x80, 0x80, 0xAF], false),
        ("the last overlong of two", [0xC1, 0xBF], false),
        ("the last overlong of three", [0xE0, 0x9F, 0xBF], false),
        ("the last overlong of four", [0xF0, 0x8F, 0xBF, 0xBF], false),
        ("an overlong NUL", [0xC0, 0x80], false),
    ]

    @Test("The truth table holds for texts, whole and cut at every byte", arguments: table)
    func truth(name: String, bytes: [UInt8], isValid: Bool) {
        #expect(UTF8Validation.isValid(bytes.span) == isValid)
        let frame = clientFrame(.text, bytes)
        let expected =
            isValid
            ? MessageTranscript([.message(.text, .assembled(bytes))]) : MessageTranscript(violation: .invalidUTF8)
        #expect(MessageTranscript(decoding: frame) == expected)
        #expect(MessageTranscript(decoding: frame, cutAt: Array(frame.indices)) == expected)
        for cut in frame.indices {
            #expect(MessageTranscript(decoding: frame, cutAt: [cut]) == expected, "cut at \(cut)")
        }
    }

    @Test("What can still become valid is exactly what some continuation makes valid")
    func openEnds() {
        // One byte of each range in the standard's table 3-7.
        let marks: [UInt8] =
            [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC]
            + [0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF]
        var wrong = [[UInt8]]()
        for first in marks {
            for second in marks {
                for third in marks where !agrees([first, second, third]) { wrong.append([first, second, third]) }
                if !agrees([first, second]) { wrong.append([first, second]) }
            }
            if !agrees([first]) { wrong.append([first]) }
        }
        #expect(wrong.isEmpty)
    }

    /// Compares with the definition: bytes can become valid if they are, or if one to three more bytes make them so.
    private func agrees(_ bytes: [UInt8]) -> Bool {
        let middles: [UInt8] = [0x80, 0x90, 0xA0, 0xBF]
        let ends = [[]] + middles.map { [$0] } + middles.map { [$0, 0x80] } + middles.map { [$0, 0x80, 0x80] }
        let canBecomeValid = ends.contains { String(validating: bytes + $0, as: UTF8.self) != nil }
        let complete = bytes.count - UTF8Validation.openEnd(of: bytes.span)
        return UTF8Validation.isValid(bytes.span.extracting(0..<complete)) == canBecomeValid
    }
}
