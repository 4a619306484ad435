import Synchronization

/// A number that one thread changes and any thread reads. A change costs no more than one of a plain number, since a
/// single writer needs no locked instruction.
public struct Counter: ~Copyable, Sendable {
    private let number = Atomic<Int>(0)

    public init() {}

    /// Only from the one thread that changes it.
    public func add(_ amount: Int = 1) {
        number.store(number.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
    }

    /// Only from the one thread that changes it.
    public func set(_ amount: Int) { number.store(amount, ordering: .relaxed) }

    public var value: Int { number.load(ordering: .relaxed) }
}

/// A counter for each of several labels, which are all known from the start.
public final class CounterTable<Label: Hashable & Sendable>: Sendable {
    private final class Cell: Sendable { let counter = Counter() }

    /// In the given order.
    public let labels: [Label]
    private let cells: [Label: Cell]

    /// A label that is given twice gets one counter.
    public init(_ labels: [Label]) {
        var cells: [Label: Cell] = [:]
        self.labels = labels.filter { cells.updateValue(Cell(), forKey: $0) == nil }
        self.cells = cells
    }

    /// Ignores a label that is not in the table, so that nothing a client says can become one.
    public func add(_ label: Label) { cells[label]?.counter.add() }

    /// 0 for a label that is not in the table.
    public subscript(label: Label) -> Int { cells[label]?.counter.value ?? 0 }
}
