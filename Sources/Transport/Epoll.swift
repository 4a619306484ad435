// Calls epoll with a buffer of its own; what leaves this file is a Swift value.
import CLinux
import Glibc
import Threads

/// A level-triggered epoll instance with its latest events.
struct Epoll: ~Copyable {
    /// Events for each wait. Others follow with the next wait, since epoll takes turns.
    static let eventLimit = 256

    static let input = EPOLLIN.rawValue
    static let output = EPOLLOUT.rawValue
    /// The connection is broken or closed in both directions. Reported even if it was not asked for.
    static let broken = EPOLLERR.rawValue | EPOLLHUP.rawValue

    private let descriptor: Descriptor
    private let events: UnsafeMutableBufferPointer<epoll_event>

    init() throws(TransportError) {
        let number = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard number >= 0 else { throw .system(call: "epoll_create1", code: errno) }
        descriptor = Descriptor(owning: number)
        events = .allocate(capacity: Epoll.eventLimit)
        events.initialize(repeating: epoll_event())
    }

    deinit { events.deallocate() }

    /// False if the kernel has no memory for it.
    func add(_ number: Int32, for interest: UInt32, token: UInt64) -> Bool {
        flipside_epoll_control(descriptor.number, EPOLL_CTL_ADD, number, interest, token) == 0
    }

    func change(_ number: Int32, to interest: UInt32, token: UInt64) {
        let result = flipside_epoll_control(descriptor.number, EPOLL_CTL_MOD, number, interest, token)
        precondition(result == 0, "a registered descriptor stays registered until it is removed")
    }

    func remove(_ number: Int32) {
        let result = flipside_epoll_control(descriptor.number, EPOLL_CTL_DEL, number, 0, 0)
        precondition(result == 0, "a registered descriptor stays registered until it is removed")
    }

    /// Returns the number of events; 0 after `milliseconds`, which may be 0.
    func wait(milliseconds: Int) -> Int {
        let count = epoll_wait(
            descriptor.number, events.baseAddress, Int32(Epoll.eventLimit), Int32(clamping: milliseconds))
        // EINTR, from a signal for another thread, makes a turn without events.
        return max(0, Int(count))
    }

    func event(at index: Int) -> (token: UInt64, flags: UInt32) { (events[index].data.u64, events[index].events) }
}
