import EventStore
import ReferenceModel

/// What a run has come to, and what several have.
public struct Counts: Sendable {
    /// Records that were written.
    public private(set) var events = 0
    /// Messages to clients.
    public internal(set) var frames = 0
    /// Messages of clients.
    public internal(set) var messages = 0
    /// Starts of a hub.
    public internal(set) var starts = 0
    /// Times that all came to rest, and everything that waited had to have gone on.
    public internal(set) var rests = 0
    /// Connections that the hub closed, by the code.
    public internal(set) var closings: [Int: Int] = [:]
    public internal(set) var faults: [FaultKind: Int] = [:]
    /// What was reached, and behind what.
    public private(set) var reach = Reach()
    private var statuses: [StreamName: RoomSight.Status] = [:]
    private var last: (stream: StreamName, status: RoomSight.Status)?

    public init() {}

    /// A record was written, behind what had befallen the hub lately.
    mutating func note(_ record: Record, _ recent: UInt32) {
        events += 1
        let type = record.event.type
        var status = last?.stream == record.stream ? last?.status : statuses[record.stream]
        switch type {
        case "room-opened": status = .waiting
        case "dealing": status = .dealing
        case "game-started": status = .running
        case "game-ended": status = .ended
        case "room-closed": status = .closed
        default: break
        }
        if let status {
            if last?.stream != record.stream || last?.status != status { statuses[record.stream] = status }
            last = (record.stream, status)
        }
        reach.note(type, status, recent)
    }

    public mutating func add(_ other: Counts) {
        (events, frames, messages) = (events + other.events, frames + other.frames, messages + other.messages)
        (starts, rests) = (starts + other.starts, rests + other.rests)
        closings.merge(other.closings) { $0 + $1 }
        faults.merge(other.faults) { $0 + $1 }
        reach.add(other.reach)
    }
}

/// Which events were recorded in which state of a room, behind which faults, and which faults came together.
public struct Reach: Sendable {
    /// Kinds of fault, and none.
    private static let width = FaultKind.allCases.count + 1

    /// By type: for each status, then none, the number behind each fault, then behind none.
    private var table: [String: [Int]] = [:]
    /// By the number of the one times `width` and the number of the other.
    private var pairs = [Int](repeating: 0, count: width * width)
    private var lastRecent: UInt32 = 0

    mutating func note(_ type: String, _ status: RoomSight.Status?, _ recent: UInt32) {
        let row = (status?.rawValue ?? RoomSight.Status.allCases.count) * Self.width
        let size = (RoomSight.Status.allCases.count + 1) * Self.width
        count(recent, from: row, in: &table[type, default: [Int](repeating: 0, count: size)])
        if recent != lastRecent {
            lastRecent = recent
            countPairs(recent)
        }
    }

    private func count(_ recent: UInt32, from row: Int, in counts: inout [Int]) {
        if recent == 0 { counts[row + Self.width - 1] += 1 }
        var bits = recent
        while bits != 0 {
            counts[row + bits.trailingZeroBitCount] += 1
            bits &= bits - 1
        }
    }

    private mutating func countPairs(_ recent: UInt32) {
        for one in 0..<Self.width where recent & (1 << UInt32(one)) != 0 {
            for other in 0..<one where recent & (1 << UInt32(other)) != 0 { pairs[one * Self.width + other] += 1 }
        }
    }

    mutating func add(_ other: Reach) {
        table.merge(other.table) { one, other in zip(one, other).map { $0 + $1 } }
        for index in pairs.indices { pairs[index] += other.pairs[index] }
    }

    /// How many of all combinations of an event's type that was recorded, a kind of fault and a room's status were
    /// there, and how many pairs of faults.
    public var shares: (reached: Int, of: Int, pairs: Int, ofPairs: Int) {
        let cells = table.values.flatMap { $0 }
        let kinds = FaultKind.allCases.count
        return (cells.count { $0 > 0 }, cells.count, pairs.count { $0 > 0 }, kinds * (kinds - 1) / 2)
    }

    /// A line for each type of event: how often it was recorded in each status, and behind how many kinds of fault.
    public var lines: [String] {
        let statuses = RoomSight.Status.allCases.map { "\($0)" } + ["elsewhere"]
        return table.sorted { $0.key < $1.key }.map { type, counts in
            let parts = statuses.indices.compactMap { status -> String? in
                let row = counts[(status * Self.width)..<((status + 1) * Self.width)]
                let sum = row.reduce(0, +)
                guard sum > 0 else { return nil }
                return "\(statuses[status]) \(sum) behind \(row.dropLast().count { $0 > 0 }) kinds"
            }
            return "\(type): \(parts.joined(separator: ", "))"
        }
    }
}
