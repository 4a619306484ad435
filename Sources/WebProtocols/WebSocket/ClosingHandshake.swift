/// How a connection ends (RFC 6455 section 7), seen from one end: each end sends one close frame, then the server ends
/// TCP.
public struct ClosingHandshake: Equatable, Sendable {
    private enum Stage: Equatable {
        case open
        /// Ours has been sent, theirs has not come.
        case awaiting
        /// Both have been sent.
        case closed
        /// They broke the protocol; what they still send is not read (section 7.1.7).
        case failed
    }

    private var stage = Stage.open

    public init() {}

    /// Whether frames may still be sent and messages are still delivered: no close frame has gone either way.
    public var isOpen: Bool { stage == .open }

    /// Whether TCP is to be ended as soon as everything handed over has been sent. False while their close frame is
    /// waited for; how long is the caller's to bound.
    public var endsConnection: Bool { stage == .closed || stage == .failed }

    /// This end wants to close. The frame to send; nil if it has sent one already.
    public mutating func begin(_ code: CloseCode, reason: String = "") -> Frame? {
        guard stage == .open else { return nil }
        stage = .awaiting
        return .close(code, reason: reason)
    }

    /// Their close frame has come. The frame to send in answer, with their code (section 5.5.1); nil if it answers
    /// ours.
    public mutating func receive(_ code: CloseCode?) -> Frame? {
        switch stage {
        case .open:
            stage = .closed
            return .close(code)
        case .awaiting:
            stage = .closed
            return nil
        case .closed, .failed: return nil
        }
    }

    /// They broke the protocol. The frame that tells them; nil if a close frame has been sent already.
    public mutating func fail(_ violation: FrameViolation) -> Frame? {
        defer { stage = .failed }
        return stage == .open ? .close(violation.closeCode, reason: violation.sentence) : nil
    }
}
