// Closes a descriptor by a C call; what leaves this file is its number.
import Glibc

/// A file descriptor that this process owns, closed once with its owner. Swift runs the `deinit` of a class whose
/// `init` throws after all properties are set, so a class that closes its number in both closes it twice. The second
/// time it may be another thread's.
public struct Descriptor: ~Copyable, Sendable {
    /// Below 0 if there is none.
    public let number: Int32

    public init(owning number: Int32) { self.number = number }
    deinit { if number >= 0 { close(number) } }
}
