import ReferenceModel

/// Makes a failing run smaller, so that a person can understand it: the shortest prefix, the fewest people and the
/// fewest kinds of fault that break the same promise.
public struct Shrinking {
    /// The smallest so far, which fails at its last step.
    public private(set) var settings: WorldSettings
    public private(set) var failure: BrokenPromise
    private let stepLimit: Int
    private var runsLeft: Int
    /// Runs a world.
    private let outcome: (WorldSettings) -> Outcome

    /// The promise that a run broke, and how many steps it had; nil if all held.
    public typealias Outcome = (failure: BrokenPromise?, steps: Int)

    /// `settings` fail with `failure` at `step`. `outcome` runs a world.
    public init(
        _ settings: WorldSettings, _ failure: BrokenPromise, at step: Int, runs: Int = 200,
        outcome: @escaping (WorldSettings) -> Outcome = { settings in
            let run = SimulationRun(settings)
            return (run.failure, run.steps)
        }
    ) {
        (self.settings, self.failure, self.outcome, runsLeft) = (settings, failure, outcome, runs)
        self.settings.steps = step
        stepLimit = 2 * step
    }

    /// Tries until nothing can be left out, or the runs are used up.
    public mutating func run() {
        var before: WorldSettings
        repeat {
            before = settings
            leaveOutPeople()
            for kind in FaultKind.allCases where settings.faults.contains(kind) {
                attempt { $0.faults.remove(kind) }
            }
            while settings.hubs > 1, attempt({ $0.hubs -= 1 }) {}
            while settings.machines > 1, attempt({ $0.machines -= 1 }) {}
            while settings.loops > 1, attempt({ $0.loops -= 1 }) {}
            while settings.rooms > 1, attempt({ $0.rooms -= 1 }) {}
        } while settings != before && runsLeft > 0
    }

    /// Halves first, then one by one.
    private mutating func leaveOutPeople() {
        var size = settings.people.count / 2
        while size > 0 {
            var start = 0
            while start < settings.people.count {
                let part = start..<min(start + size, settings.people.count)
                if part.count == settings.people.count || !attempt({ $0.people.removeSubrange(part) }) { start += size }
            }
            size /= 2
        }
    }

    /// Keeps the settings after `change` if they break the same promise. Fewer people may need longer for it, so up to
    /// `stepLimit` steps are tried.
    @discardableResult
    private mutating func attempt(_ change: (inout WorldSettings) -> Void) -> Bool {
        guard runsLeft > 0 else { return false }
        runsLeft -= 1
        var smaller = settings
        change(&smaller)
        smaller.steps = stepLimit
        let run = outcome(smaller)
        guard let broken = run.failure, broken.rule == failure.rule else { return false }
        (settings, failure) = (smaller, broken)
        settings.steps = run.steps
        return true
    }
}
