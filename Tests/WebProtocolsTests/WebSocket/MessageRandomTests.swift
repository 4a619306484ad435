import ProtocolOracles
import Testing

@testable import WebProtocols

@Suite("Random bytes at the message decoder")
struct MessageRandomTests {
    @Test("Random frames, some of them damaged, break no rule", arguments: 1...300 as ClosedRange<UInt64>)
    func damagedFrames(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let sender: Endpoint = Bool.random(using: &generator) ? .client : .server
        var bytes = (0..<Int.random(in: 1...6, using: &generator)).flatMap { _ in frame(from: sender, &generator) }
        for _ in 0..<Int.random(in: 0...2, using: &generator) where !bytes.isEmpty {
            bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        let limits = MessageLimits(frameBytes: .random(in: 0...200, using: &generator), messageBytes: 200)
        let cuts = generator.cuts(in: bytes.count, limit: 5)
        let fault = messageFault(bytes, cutAt: cuts, limits: limits, from: sender, inflater: Inflater())
        #expect(fault == nil, "seed \(seed)")
    }

    private func frame(from sender: Endpoint, _ generator: inout SeededGenerator) -> [UInt8] {
        let opcode = Opcode.allCases.randomElement(using: &generator) ?? .text
        let pieces = ["a", "ä", "€", "🂡", "\u{FFFD}"]
        var payload = (0..<Int.random(in: 0...60, using: &generator)).flatMap { _ in
            Array((pieces.randomElement(using: &generator) ?? "").utf8)
        }
        if opcode == .close { payload = [0x03, 0xE8] + payload.prefix(20) }
        let header = FrameHeader(
            opcode: opcode, isFinal: opcode.isControl || Bool.random(using: &generator),
            isCompressed: (opcode == .text || opcode == .binary) && Int.random(in: 0...3, using: &generator) == 0,
            maskingKey: sender == .client ? .random(in: 0...UInt32.max, using: &generator) : nil,
            payloadBytes: payload.count)
        return header.bytes(before: payload.span.bytes)
    }
}
