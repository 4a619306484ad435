import WebProtocols

/// A message decoder's result for some bytes, which does not depend on how they were cut.
public struct MessageTranscript: Equatable, Sendable {
    /// In order, with every payload `assembled`.
    public var incoming: [Incoming] = []
    public var violation: FrameViolation?

    public init(_ incoming: [Incoming] = [], violation: FrameViolation? = nil) {
        self.incoming = incoming
        self.violation = violation
    }

    /// Decodes `bytes` in the pieces that end at `cuts`, which ascend.
    public init(
        decoding bytes: [UInt8], cutAt cuts: [Int] = [], limits: MessageLimits = MessageLimits(),
        from sender: Endpoint = .client, inflater: Inflater? = nil
    ) {
        var decoder = MessageDecoder(limits: limits, from: sender)
        do throws(FrameViolation) {
            for piece in pieces(of: bytes, cutAt: cuts) { try add(piece, to: &decoder, inflater) }
        } catch {
            violation = error
        }
    }

    private mutating func add(_ piece: [UInt8], to decoder: inout MessageDecoder, _ inflater: Inflater?)
        throws(FrameViolation)
    {
        var piece = piece
        var offset = 0
        while true {
            var found: Incoming?
            do {
                var span = piece.mutableSpan
                var bytes = span.mutableBytes
                found = try decoder.next(&bytes, at: &offset, inflater: inflater)
            }
            guard let found else { return }
            switch found {
            case .message(let kind, .inPlace(let range)):
                incoming.append(.message(kind, .assembled(Array(piece[range]))))
            case .message(let kind, .inflated):
                let message = inflater?.withMessage { $0.withUnsafeBytes { Array($0) } }
                incoming.append(.message(kind, .assembled(message ?? [])))
            default: incoming.append(found)
            }
        }
    }
}

/// `bytes` in the pieces that end at `cuts`, which ascend. Cuts outside are skipped.
public func pieces(of bytes: [UInt8], cutAt cuts: [Int]) -> [[UInt8]] {
    var (pieces, start) = ([[UInt8]](), 0)
    for cut in cuts + [bytes.count] where cut >= start && cut <= bytes.count {
        pieces.append(Array(bytes[start..<cut]))
        start = cut
    }
    return pieces
}

/// The broken rule for any bytes, cut at `cuts`; nil if all hold.
public func messageFault(
    _ bytes: [UInt8], cutAt cuts: [Int], limits: MessageLimits, from sender: Endpoint, inflater: Inflater? = nil
) -> String? {
    let whole = MessageTranscript(decoding: bytes, limits: limits, from: sender, inflater: inflater)
    let cut = MessageTranscript(decoding: bytes, cutAt: cuts, limits: limits, from: sender, inflater: inflater)
    guard whole == cut else { return "cut at \(cuts): \(cut) instead of \(whole)" }
    let single = MessageTranscript(
        decoding: bytes, cutAt: Array(bytes.indices), limits: limits, from: sender, inflater: inflater)
    guard whole == single else { return "byte by byte: \(single) instead of \(whole)" }
    for incoming in whole.incoming {
        if let fault = fault(in: incoming, limits: limits) { return fault }
    }
    let again = MessageTranscript(
        decoding: whole.incoming.flatMap { encode($0, as: sender) },
        limits: MessageLimits(frameBytes: limits.messageBytes, messageBytes: limits.messageBytes), from: sender)
    guard again == MessageTranscript(whole.incoming) else { return "encoded again: \(again) instead of \(whole)" }
    if let violation = whole.violation {
        guard violation.closeCode.isValidOnWire, violation.sentence.utf8.count <= 123 else {
            return "\(violation) cannot be told to the peer"
        }
    }
    return nil
}

private func fault(in incoming: Incoming, limits: MessageLimits) -> String? {
    switch incoming {
    case .message(let kind, .assembled(let payload)):
        guard payload.count <= limits.messageBytes else { return "a message of \(payload.count) bytes" }
        let isText = String(validating: payload, as: UTF8.self) != nil
        return kind == .text && !isText ? "a text that is not UTF-8: \(payload)" : nil
    case .message: return "a payload that was not copied"
    case .ping(let payload), .pong(let payload):
        return payload.count > 125 ? "a control frame of \(payload.count) bytes" : nil
    case .close(let code, let reason):
        if code == nil, !reason.isEmpty { return "a reason without a code" }
        return code?.isValidOnWire == false ? "a close code that may not be sent" : nil
    }
}

/// The frame by which `sender` would say `incoming`.
private func encode(_ incoming: Incoming, as sender: Endpoint) -> [UInt8] {
    let (opcode, payload): (Opcode, [UInt8]) =
        switch incoming {
        case .message(let kind, .assembled(let bytes)): (kind == .text ? .text : .binary, bytes)
        case .message: (.binary, [])
        case .ping(let bytes): (.ping, bytes)
        case .pong(let bytes): (.pong, bytes)
        case .close(let code, let reason):
            (.close, code.map { [UInt8($0.rawValue >> 8), UInt8($0.rawValue & 0xFF)] + Array(reason.utf8) } ?? [])
        }
    guard sender == .server else { return Frame.masked(opcode, payload: payload, mask: 0x37FA_213D) }
    switch opcode {
    case .text: return Frame.text(payload).bytes
    case .binary, .continuation: return Frame.binary(payload).bytes
    case .ping: return Frame.ping(payload).bytes
    case .pong: return Frame.pong(payload).bytes
    case .close:
        guard case .close(let code, let reason) = incoming else { return [] }
        return Frame.close(code, reason: reason).bytes
    }
}
