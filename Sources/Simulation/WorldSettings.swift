/// What a world is made from: the same settings make the same run, to the byte.
public struct WorldSettings: Sendable, Equatable {
    public var seed: UInt64
    public var steps: Int
    public var loops: Int
    /// How many rooms people go to at a time.
    public var rooms: Int
    /// Who is there, by their numbers: a run is shrunk by leaving people out.
    public var people: [Int]
    /// What may befall the hub.
    public var faults: Set<FaultKind>

    /// Those that follow from a seed.
    public init(seed: UInt64, steps: Int) {
        var choices = Choices(seed: seed, part: 0)
        self.seed = seed
        self.steps = steps
        loops = choices.number(in: 1...3)
        rooms = choices.number(in: 1...8)
        people = Array(0..<choices.number(in: 2...24))
        // Not all at once: what is rare behind one fault is often hidden by another.
        let share = choices.number(in: 0...4)
        faults = Set(FaultKind.allCases.filter { _ in choices.chance(share, in: 4) })
    }
}
