/// What the bytes of a server's connection mean.
enum ConnectionPhase {
    case handshake
    case request
    /// Open: no close frame has been sent either way.
    case webSocket
    /// Our close frame has been sent, and theirs has not arrived (RFC 6455 section 7.1.3).
    case closing
    /// The last bytes are being sent. The peer then has time to close its side.
    case lingering
    /// On its way to another loop, or there.
    case moved
    case ended
}

/// State that few connections have at a time and, except `place`, only for a while.
final class RareState {
    /// Bytes that were read and cannot be used yet. Nothing more is read while there are any.
    var unread: [UInt8] = []
    /// The newest ping that found too many pongs waiting.
    var owedPong: [UInt8]?
    var lingerBytes = 0
    /// When a WebSocket began to close.
    var phaseBegan: Milliseconds = 0
    /// On a proxy's connection, the place that counts for the client's address.
    var place: Admission.ClientPlace?

    var isEmpty: Bool { unread.isEmpty && owedPong == nil && lingerBytes == 0 && phaseBegan == 0 && place == nil }
}

extension TimeLimits {
    /// When the time of the connection's phase is over; `.max` if it has no limit.
    func phaseEnd(of connection: Connection) -> Milliseconds {
        let began = connection.exchange?.began ?? connection.rare?.phaseBegan ?? 0
        let heard = connection.stream.lastHeard
        switch connection.phase {
        case .handshake: return began + handshake
        case .request:
            return connection.stream.isBlocked ? heard + silence : connection.exchange?.deadline(self) ?? .max
        case .webSocket:
            let longest = connection.stream.wasPinged ? silence : min(ping(of: connection.token), silence)
            return silenceLook(from: heard + longest)
        case .closing: return began + close
        case .lingering:
            if connection.stream.outputEnded { return began + linger }
            return connection.exchange == nil ? began + close : heard + silence
        case .moved, .ended: return .max
        }
    }
}
