import Synchronization

/// A flag that stays raised until it is lowered.
final class Flag: Sendable {
    private let isUp = Atomic(false)

    var isRaised: Bool { isUp.load(ordering: .acquiring) }

    func raise() { isUp.store(true, ordering: .releasing) }
    func lower() { isUp.store(false, ordering: .releasing) }
}
