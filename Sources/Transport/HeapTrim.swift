// Reads a line of the system's by pointer; nothing keeps it past a call.
import CLinux
import Glibc

/// Gives memory back to the system that the C library keeps after a peak: what was freed below something that lives on,
/// it would hold for ever. Whoever has it looks now and then, from any one thread.
public struct HeapTrim {
    /// So much is kept: to be given out again without the system, and not worth the time, in which others that want
    /// memory wait, a millisecond for some 100 MiB.
    public static let keptBytes = 16 << 20

    /// What the process has besides what is in use, when there was least of it: code, stacks, and what cannot be given
    /// back.
    private var least = Int.max

    public init() {}

    /// Gives back what is free, if it is more than `keptBytes`; whether it was.
    @discardableResult
    public mutating func look() -> Bool {
        guard isWorthwhile(resident: Self.residentBytes, used: flipside_heap_used()) else { return false }
        flipside_heap_trim()
        note(resident: Self.residentBytes, used: flipside_heap_used())
        return true
    }

    mutating func isWorthwhile(resident: Int, used: Int) -> Bool {
        least = min(least, resident - used)
        return resident - used > least + Self.keptBytes
    }

    /// What is left when it has been given back: it is not tried again before there is more.
    mutating func note(resident: Int, used: Int) { least = resident - used }

    /// The process's memory (proc(5): the second number of `statm`, in pages); 0 where the system does not tell.
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
