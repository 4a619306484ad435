import RoomRules

/// Rooms as they were last read. Past the limit, the least recently used one is dropped.
public struct KeptRooms {
    /// As many as change on a busy node before their rows are written, a few seconds later. Each takes some 4 KB.
    public static let limit = 2_048

    private struct Entry {
        let state: RoomState
        let use: Int
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    /// In order, from `first` on. Some are outdated, since the room was used again or taken.
    private var uses: [(code: String, number: Int)] = []
    private var first = 0
    private var lastUse = 0

    init(limit: Int) { self.limit = limit }

    var count: Int { entries.count }

    mutating func remove(_ code: String) -> RoomState? { entries.removeValue(forKey: code)?.state }

    mutating func put(_ state: RoomState) {
        lastUse += 1
        entries[state.code] = Entry(state: state, use: lastUse)
        uses.append((state.code, lastUse))
        while entries.count > limit {
            if entries[uses[first].code]?.use == uses[first].number { entries[uses[first].code] = nil }
            first += 1
        }
        // Rare enough that each use costs little.
        guard uses.count > 4 * limit else { return }
        uses = uses[first...].filter { entries[$0.code]?.use == $0.number }
        first = 0
    }
}
