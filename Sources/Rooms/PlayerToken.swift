import Cryptography

/// A secret that proves a device is a player's: 32 random bytes drawn by the client. The hub keeps only their hash.
public struct PlayerToken: Equatable, Sendable {
    private let bytes: [UInt8]

    /// Nil unless `text` is 32 bytes in base64url (RFC 4648 section 5, without padding).
    public init?(_ text: String) {
        guard text.utf8.count == 43, let bytes = [UInt8](base64URL: text), bytes.count == 32 else { return nil }
        self.bytes = bytes
    }

    /// SHA-256 in hex, which is stored and looked up.
    public var hash: String { SHA256.digest(of: bytes).hex }
}
