import Cryptography
import JSON

/// What a game's event has sealed (a bid): the log keeps it from everyone until a later event shows it, and shows only
/// its SHA-256, as the field `seal`.
public enum SealedFields: Sendable, Equatable {
    /// In the hub, and wherever else the sealed bytes of the log are. The salt is `saltSize` random bytes, or a choice
    /// among few could be guessed from its digest. It is empty until the room seals the event.
    case known(Fields, salt: [UInt8])
    /// In a fold of the public log.
    case committed(Digest)

    public static let saltSize = 32

    /// From the sealed bytes of a log: the salt, then the fields as JSON. Nil for anything else.
    public init?(bytes: [UInt8]) {
        let rest = Array(bytes.dropFirst(Self.saltSize))
        // The digest is that of the bytes as they would be written.
        guard bytes.count > Self.saltSize, let fields = try? JSONReader.read(rest).object,
            JSONWriter.bytes(fields) == rest
        else { return nil }
        self = .known(fields, salt: Array(bytes.prefix(Self.saltSize)))
    }

    /// As the log keeps it; nil where it is not known.
    public var bytes: [UInt8]? {
        switch self {
        case .known(let fields, let salt): salt + JSONWriter.bytes(fields)
        case .committed: nil
        }
    }

    /// As everyone sees it.
    public var digest: Digest {
        switch self {
        case .known(let fields, let salt): SHA256.digest(of: salt + JSONWriter.bytes(fields))
        case .committed(let digest): digest
        }
    }

    /// With a salt, if it has none yet.
    public func salted(with salt: @autoclosure () -> [UInt8]) -> Self {
        guard case .known(let fields, let old) = self, old.isEmpty else { return self }
        return .known(fields, salt: salt())
    }
}
