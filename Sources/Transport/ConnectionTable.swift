/// The connections of a loop. A token always means the same connection. Once that is gone, its place is reused under
/// another token, and a late event with the old one finds nothing.
struct ConnectionTable {
    private struct Slot {
        var connection: Connection?
        var generation: UInt32
    }

    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private(set) var count = 0

    mutating func reserve() -> UInt64 {
        let index = free.popLast() ?? UInt32(slots.count)
        if Int(index) == slots.count { slots.append(Slot(connection: nil, generation: 0)) }
        count += 1
        return UInt64(slots[Int(index)].generation) << 32 | UInt64(index)
    }

    mutating func fill(_ token: UInt64, with connection: Connection) {
        slots[Int(UInt32(truncatingIfNeeded: token))].connection = connection
    }

    mutating func release(_ token: UInt64) {
        let index = UInt32(truncatingIfNeeded: token)
        slots[Int(index)].connection = nil
        // Below 2^31, so that no token is one of the loop's own.
        slots[Int(index)].generation = (slots[Int(index)].generation + 1) & 0x7FFF_FFFF
        free.append(index)
        count -= 1
    }

    /// Nil if it is gone.
    subscript(token: UInt64) -> Connection? {
        let index = Int(UInt32(truncatingIfNeeded: token))
        guard index < slots.count, UInt64(slots[index].generation) == token >> 32 else { return nil }
        return slots[index].connection
    }

    var all: [Connection] { slots.compactMap(\.connection) }
}
