// Called by libFuzzer with a pointer; what leaves this file is a Swift array. Built by scripts/fuzz alone.
import ProtocolOracles
import WebProtocols

/// One input: its first byte chooses what it is fed to, the second where it is cut, the rest are the bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard count >= 2 else { return 0 }
    let input = Array(UnsafeBufferPointer(start: start, count: count))
    let bytes = Array(input.dropFirst(2))
    var generator = SeededGenerator(seed: UInt64(input[1]))
    let cuts = generator.cuts(in: bytes.count, limit: 4)
    // Limits so low that short inputs go past them.
    let messageLimits = MessageLimits(frameBytes: 300, messageBytes: 400)
    let requestLimits = HTTPLimits(headBytes: 400, fieldCount: 8, targetBytes: 64, bodyBytes: 32)
    let fault: String? =
        switch input[0] % 8 {
        case 0: messageFault(bytes, cutAt: cuts, limits: messageLimits, from: .client)
        // Unmasked frames, so that the fuzzer sees through to the texts.
        case 1: messageFault(bytes, cutAt: cuts, limits: messageLimits, from: .server)
        case 2: requestFault(bytes, cutAt: cuts, limits: requestLimits)
        case 3: jsonFault(bytes)
        case 4: messageFault(bytes, cutAt: cuts, limits: messageLimits, from: .server, inflater: Inflater())
        case 5: proxyHeaderFault(bytes, limit: 300)
        case 6:
            responseFault(
                bytes, cutAt: cuts, limits: ResponseLimits(headBytes: 400, fieldCount: 8, bodyBytes: 32))
        default: requestFault(upgrade(bytes), cutAt: cuts, limits: HTTPLimits())
        }
    if let fault { fatalError(fault) }
    return 0
}

/// A request for a WebSocket whose fields go on with `bytes`.
private func upgrade(_ bytes: [UInt8]) -> [UInt8] {
    Array("GET /ws/lobby HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n".utf8) + bytes
}
