/// Something that the protocol or a game's rules promise, and that a hub has not kept.
public struct BrokenPromise: Error, Sendable, Equatable, CustomStringConvertible {
    /// Which one, in a few words that stay the same whatever the values are: `an event is durable before it is shown`.
    public let rule: String
    /// Where it was broken, and by what.
    public let detail: String

    public init(_ rule: String, _ detail: String) { (self.rule, self.detail) = (rule, detail) }

    public var description: String { "\(rule): \(detail)" }
}
