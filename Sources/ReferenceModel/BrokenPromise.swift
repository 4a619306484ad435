/// A promise of the protocol or a game's rules that a hub has broken.
public struct BrokenPromise: Error, Sendable, Equatable, CustomStringConvertible {
    /// The promise in a few words, which never contain values: `an event is durable before it is shown`.
    public let rule: String
    /// Where it was broken, and by what.
    public let detail: String

    public init(_ rule: String, _ detail: String) { (self.rule, self.detail) = (rule, detail) }

    public var description: String { "\(rule): \(detail)" }
}
