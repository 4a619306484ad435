import RoomRules

/// Rooms as they were when they were last read. Of more than so many the one that was used least recently goes.
public struct KeptRooms {
    /// As many as move within the few seconds after which their rows are written, on a busy node: some 4 KB each.
    public static let limit = 2_048

    private struct Entry {
        let state: RoomState
        let use: Int
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    /// In order, from `first` on. Of some the room has been used again since, or was taken.
    private var uses: [(code: String, number: Int)] = []
    private var first = 0
    private var lastUse = 0

    init(limit: Int) { self.limit = limit }

    var count: Int { entries.count }

    mutating func take(_ code: String) -> RoomState? { entries.removeValue(forKey: code)?.state }

    mutating func put(_ state: RoomState) {
        lastUse += 1
        entries[state.code] = Entry(state: state, use: lastUse)
        uses.append((state.code, lastUse))
        while entries.count > limit {
            if entries[uses[first].code]?.use == uses[first].number { entries[uses[first].code] = nil }
            first += 1
        }
        // Seldom enough for each use to cost little.
        guard uses.count > 4 * limit else { return }
        uses = uses[first...].filter { entries[$0.code]?.use == $0.number }
        first = 0
    }
}
