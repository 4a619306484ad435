/// Whom the people in a game had against them: their results are compared with those of the same kind alone.
public enum Opponents: String, Sendable, CaseIterable {
    /// Nobody.
    case alone
    /// Other people, be computers among them or not.
    case people
    /// Computers alone.
    case computers

    /// Of a game of so many.
    init(people: Int, computers: Int) { self = people > 1 ? .people : computers > 0 ? .computers : .alone }
}
