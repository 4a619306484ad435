import Cryptography
import Games
import JSON
import RoomRules

/// A client's message, read but not judged.
public enum ClientMessage: Equatable, Sendable {
    case hello(Hello)
    /// Asks for a `pong` with the same number.
    case ping(Int)
    case command(id: String, type: String, fields: Fields)

    /// Whether it must wait while a hello is being answered. A ping need not.
    var mustWaitForHello: Bool { if case .ping = self { false } else { true } }

    /// The token itself is not kept.
    public struct Hello: Equatable, Sendable {
        /// SHA-256 of the token, in hex; empty if it cannot be a token; nil for a spectator without a name.
        public let tokenHash: String?
        /// The last version the client has seen; nil if it has seen none.
        public let after: Int?
        /// The hash at that version.
        public let head: Digest?

        public init(tokenHash: String?, after: Int?, head: Digest?) {
            (self.tokenHash, self.after, self.head) = (tokenHash, after, head)
        }
    }

    /// A text message that is not understood: which command it was, if that could be read, and why.
    public struct Refusal: Error, Equatable {
        public let id: String?
        public let rejection: Rejection
        /// The limit that it passed, if any.
        public var limit: HubLimit?
    }

    /// Most characters of a command's id.
    static let idLimit = 40

    public static func read(_ bytes: RawSpan) throws(Refusal) -> ClientMessage {
        let value: Value
        do { value = try JSONReader.read(bytes, valueLimit: JSONReader.clientValueLimit) } catch {
            throw Refusal(
                id: nil, rejection: Rejection("bad-json", error.sentence), limit: error.isTooMuch ? .values : nil)
        }
        guard let fields = value.object else {
            throw Refusal(id: nil, rejection: Rejection("bad-json", "A message must be one JSON object."))
        }
        do { return try read(fields) } catch { throw Refusal(id: id(fields), rejection: error) }
    }

    /// Also named in the answer, so that the client knows which command failed; nil unless a command may have it.
    private static func id(_ fields: Fields) -> String? {
        guard let id = fields["id"]?.string, !id.isEmpty, id.unicodeScalars.count <= idLimit else { return nil }
        return id
    }

    private static func read(_ fields: Fields) throws(Rejection) -> ClientMessage {
        guard let type = fields["type"]?.string else { throw .badField("type", "a string") }
        switch ClientMessageKind(rawValue: type) {
        case .hello: return .hello(try Hello(fields))
        case .ping:
            guard let number = fields["n"]?.integer else { throw .badField("n", "a whole number") }
            return .ping(number)
        case nil:
            guard let id = id(fields) else {
                throw .badField("id", "a string of 1 to \(idLimit) characters, new for each command")
            }
            var rest = fields
            for name in ["type", "id"] { rest[name] = nil }
            return .command(id: id, type: type, fields: rest)
        }
    }
}

extension ClientMessage.Hello {
    fileprivate init(_ fields: Fields) throws(Rejection) {
        switch fields["token"] {
        case nil, .null: tokenHash = nil
        case .string(let token): tokenHash = PlayerToken(token)?.hash ?? ""
        default: throw .badField("token", "a string")
        }
        switch fields["after"] {
        case nil, .null: after = nil
        case .integer(let version) where version >= 0: after = version
        default: throw .badField("after", "a version: a whole number from 0")
        }
        switch fields["head"] {
        case nil, .null: head = nil
        case .string(let text):
            guard let digest = Digest(hex: text) else { throw .badField("head", "64 hexadecimal digits") }
            head = digest
        default: throw .badField("head", "64 hexadecimal digits")
        }
    }
}
