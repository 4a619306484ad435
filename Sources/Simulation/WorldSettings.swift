/// Settings of a world. The same settings make the same run, to the byte.
public struct WorldSettings: Sendable, Equatable {
    /// Usual steps of one run: some seconds.
    public static let usualSteps = 300_000

    public var seed: UInt64
    /// The run ends after so many steps.
    public var steps: Int
    /// Hubs that share a log.
    public var hubs: Int
    /// Machines that each hub may run on, one at a time.
    public var machines: Int
    /// Loops of each hub.
    public var loops: Int
    /// How many rooms people visit at a time.
    public var rooms: Int
    /// The people, by number: shrinking a run leaves some out.
    public var people: [Int]
    /// The kinds of fault that may strike.
    public var faults: Set<FaultKind>
    /// What people prefer besides playing, from `everyFavourite`.
    public var favourites: [String]

    /// The settings that follow from a seed.
    public init(seed: UInt64, steps: Int = usualSteps) {
        var choices = Choices(seed: seed, part: 0)
        (self.seed, self.steps) = (seed, steps)
        loops = choices.number(in: 1...3)
        rooms = choices.number(in: 1...8)
        people = Array(0..<choices.number(in: 2...24))
        // Not all at once: one fault often hides what is rare after another.
        let share = choices.number(in: 0...4)
        faults = Set(FaultKind.allCases.filter { !$0.isOfNodes && choices.chance(share, in: 4) })
        machines = choices.element(of: [1, 1, 1, 2, 3])
        hubs = 1
        var others = Choices(seed: seed, part: 4)
        var ofNodes = Choices(seed: seed, part: 5)
        for kind in FaultKind.allCases where kind.isOfNodes && ofNodes.chance(share, in: 4) { faults.insert(kind) }
        favourites = Whims.Whim.favourites(&others).map(\.rawValue)
    }

    public static let everyFavourite = Whims.Whim.allCases.map(\.rawValue)

    /// Makes people prefer what may lead to the events that earlier runs recorded least.
    public mutating func draw(towards reach: Reach) {
        favourites = reach.rarest.lazy.map { Whims.Whim.leading(to: $0) }.filter { !$0.isEmpty }.prefix(3)
            .flatMap { $0.map(\.rawValue) }
    }

    /// As command line arguments.
    public var arguments: String {
        let kinds = FaultKind.allCases.filter { faults.contains($0) && (hubs > 1 || !$0.isOfNodes) }.map { "\($0)" }
        return "--seed \(seed) --steps \(steps)" + " --hubs \(hubs) --machines \(machines)"
            + " --loops \(loops) --rooms \(rooms) --people \(people.map(String.init).joined(separator: ","))"
            + " --faults \(kinds.isEmpty ? "none" : kinds.joined(separator: ","))"
            + " --drawn-to \(favourites.isEmpty ? "none" : favourites.joined(separator: ","))"
    }
}
