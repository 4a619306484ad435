/// Whom the people in a game played against. Their results are only compared with those of the same kind.
public enum Opponents: String, Sendable, CaseIterable {
    /// No one.
    case alone
    /// Other people, and perhaps computers.
    case people
    /// Only computers.
    case computers

    /// The numbers include the people themselves.
    init(people: Int, computers: Int) { self = people > 1 ? .people : computers > 0 ? .computers : .alone }
}
