// Closes a descriptor by a C call; what leaves this file is its number.
import Glibc

/// A file descriptor that this process owns, closed once with its owner. A class that closed its own in `deinit` would
/// close it twice if its `init` does so too before it throws, and so another thread's that got the number meanwhile.
public struct Descriptor: ~Copyable, Sendable {
    /// Below 0 if there is none.
    public let number: Int32

    public init(owning number: Int32) { self.number = number }
    deinit { if number >= 0 { close(number) } }
}
