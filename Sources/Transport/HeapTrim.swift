// Reads a line of the system's by pointer; nothing keeps it past a call.
import CLinux
import Glibc

/// Returns memory to the system that the C library keeps after a peak. It would keep freed memory below a live block
/// for ever. The owner calls `look` now and then, always from one thread.
public struct HeapTrim {
    /// This much is kept, to be reused without the system. Freeing it is not worth the time either: about a millisecond
    /// for 100 MiB, in which other threads that allocate wait.
    public static let keptBytes = 16 << 20

    /// The least memory that the process has had besides what is in use: code, stacks, and memory that cannot be
    /// returned.
    private var least = Int.max

    public init() {}

    /// Returns free memory to the system if there is more than `keptBytes`, and tells whether there was.
    @discardableResult
    public mutating func look() -> Bool {
        guard isWorthwhile(resident: Self.residentBytes, used: flipside_heap_used()) else { return false }
        flipside_heap_trim()
        recordRest(resident: Self.residentBytes, used: flipside_heap_used())
        return true
    }

    mutating func isWorthwhile(resident: Int, used: Int) -> Bool {
        least = min(least, resident - used)
        return resident - used > least + Self.keptBytes
    }

    /// Records what is left after a trim, so that the next one waits until there is more.
    mutating func recordRest(resident: Int, used: Int) { least = resident - used }

    /// The process's memory (proc(5): the second number of `statm`, in pages); 0 if the system does not say.
    private static var residentBytes: Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        let line = [UInt8](unsafeUninitializedCapacity: 128) { buffer, count in
            count = max(0, read(file, buffer.baseAddress, buffer.count))
        }
        let words = line.split(separator: UInt8(ascii: " "))
        guard words.count > 1, let pages = Int(String(decoding: words[1], as: UTF8.self)) else { return 0 }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
