// Reads and writes eight bytes of an eventfd; nothing keeps the pointer.
import CLinux
import Glibc
import Threads

/// Wakes a loop or a thread from another one, by an eventfd.
struct WakeUp: ~Copyable, Sendable {
    private let descriptor: Descriptor

    init() throws(TransportError) {
        let number = flipside_event()
        guard number >= 0 else { throw .system(call: "eventfd", code: errno) }
        descriptor = Descriptor(owning: number)
    }

    /// Readable from `signal` until `reset`, for epoll.
    var number: Int32 { descriptor.number }

    func signal() {
        var one: UInt64 = 1
        // EAGAIN would mean 2^64 signals already.
        _ = write(number, &one, 8)
    }

    func reset() {
        var count: UInt64 = 0
        // EAGAIN means that it was not signalled and needs no reset.
        _ = read(number, &count, 8)
    }

    func wait() {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, -1) != 1 { precondition(errno == EINTR, "an eventfd can be waited for") }
    }
}
