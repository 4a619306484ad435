/// The kind of a frame (RFC 6455 section 5.2).
public enum Opcode: UInt8, Equatable, Sendable, CaseIterable {
    case continuation = 0
    case text = 1
    case binary = 2
    case close = 8
    case ping = 9
    case pong = 10

    /// Control frames are short and may come between the fragments of a message (section 5.5).
    public var isControl: Bool { rawValue >= 8 }
}

/// Which end of a connection sent something. Clients mask their frames, servers do not (RFC 6455 section 5.1).
public enum Endpoint: Equatable, Sendable {
    case client
    case server
}

/// What kind of data a message has (RFC 6455 section 5.6).
public enum MessageKind: Equatable, Sendable {
    /// UTF-8, checked.
    case text
    case binary

    /// Of a message in one frame, or of its first.
    var opcode: Opcode { self == .text ? .text : .binary }
}
