/// The timers of a loop, except those of rooms, which have higher numbers.
public enum LoopTimer: UInt64, CaseIterable {
    case sweep, readModels, roomReader, greetings, limitNotices, accountChanges, lobby, node, claims, drain, links

    /// The timer of the first room that wakes.
    static let firstRoom = UInt64(allCases.count)
}
