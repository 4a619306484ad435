import Glibc
import Synchronization
import Testing
import Threads

@Suite("Threads") struct SystemThreadTests {
    private final class Count: Sendable {
        let number = Mutex(0)
    }

    @Test("join waits for the body, and then sees its writes")
    func join() throws {
        let count = Count()
        let threads = try (0..<8).map { number in
            try SystemThread("count-\(number)") { count.number.withLock { $0 += 1 } }
        }
        for thread in threads { thread.join() }
        #expect(count.number.withLock { $0 } == 8)
    }

    @Test("a thread that is not joined keeps running")
    func detached() throws {
        var pipe: [Int32] = [0, 0]
        try #require(Glibc.pipe(&pipe) == 0)
        let (input, output) = (pipe[0], pipe[1])
        _ = try SystemThread("detached") {
            var byte: UInt8 = 7
            _ = write(output, &byte, 1)
        }
        var byte: UInt8 = 0
        #expect(read(input, &byte, 1) == 1 && byte == 7)
        close(input)
        close(output)
    }

    @Test("system tools show its name, cut to 15 bytes")
    func name() throws {
        let shown = Mutex("")
        try SystemThread("a-name-of-18-bytes") {
            let file = open("/proc/thread-self/comm", O_RDONLY)
            var bytes = [UInt8](repeating: 0, count: 32)
            let count = read(file, &bytes, bytes.count)
            close(file)
            shown.withLock { $0 = String(decoding: bytes[..<max(0, count)], as: UTF8.self) }
        }.join()
        #expect(shown.withLock { $0 } == "a-name-of-18-by\n")
    }

    @Test("it has the requested stack, since using more than the system's 8 MiB would end the process here")
    func stack() throws {
        let reached = Mutex(0)
        try SystemThread("deep", stackSizeBytes: 64 << 20) { reached.withLock { $0 = Self.dive(16_384) } }.join()
        #expect(reached.withLock { $0 } == 16_384)
    }

    /// Calls itself `depth` times, using 1 KiB of the stack each time. Returns how often it was called.
    private static func dive(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 8) { bytes in
            bytes.storeBytes(of: UInt8(1), as: UInt8.self)
            return depth == 0 ? 0 : dive(depth - 1) + Int(bytes.load(as: UInt8.self))
        }
    }

    @Test("it only takes signals of its own faults; the thread that starts it takes the same as before")
    func signals() throws {
        let own = Self.blocked
        let ofThread = Mutex<[Int32]>([])
        try SystemThread("signals") { ofThread.withLock { $0 = Self.blocked } }.join()
        let blocked = ofThread.withLock { $0 }
        #expect([SIGTERM, SIGINT, SIGHUP, SIGUSR1, SIGPIPE].allSatisfy(blocked.contains))
        #expect(![SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT].contains(where: blocked.contains))
        #expect(Self.blocked == own)
    }

    /// The signals that this thread blocks.
    private static var blocked: [Int32] {
        var set = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &set)
        return (1...31).filter { sigismember(&set, $0) == 1 }
    }
}
