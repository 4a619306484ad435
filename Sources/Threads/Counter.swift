import Synchronization

/// A number that one thread changes and any thread reads. It costs the one that changes it no more than a number of its
/// own would: what only one writes needs no locked instruction.
public struct Counter: ~Copyable, Sendable {
    private let number = Atomic<Int>(0)

    public init() {}

    /// By the one thread that changes it.
    public func add(_ amount: Int = 1) {
        number.store(number.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    /// By the one thread that changes it.
    public func set(_ amount: Int) { number.store(amount, ordering: .relaxed) }

    public var value: Int { number.load(ordering: .relaxed) }
}

/// A counter for each of several labels, which are all known from the start.
public final class CounterTable<Label: Hashable & Sendable>: Sendable {
    private final class Cell: Sendable { let counter = Counter() }

    /// In the order given.
    public let labels: [Label]
    private let cells: [Label: Cell]

    /// Of labels given twice, one counts.
    public init(_ labels: [Label]) {
        var cells: [Label: Cell] = [:]
        self.labels = labels.filter { cells.updateValue(Cell(), forKey: $0) == nil }
        self.cells = cells
    }

    /// Counts one more. A label that is not in the table is not counted: so nothing that a client says becomes one.
    public func add(_ label: Label) { cells[label]?.counter.add() }

    /// 0 for a label that is not in the table.
    public subscript(label: Label) -> Int { cells[label]?.counter.value ?? 0 }
}
