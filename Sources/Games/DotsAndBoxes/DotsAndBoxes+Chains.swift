// What a player can do on a grid: take boxes, draw a line that is safe, or open a chain. A box with two sides belongs
// to a chain. Once one of its lines is drawn, the other player can take all of its boxes, one after the other.
extension DotsAndBoxes.Grid {
    /// What the player to move should consider. Every other move is at most as good (J. Barker, R. Korf, Solving
    /// Dots-And-Boxes, 2012).
    enum Choice: Equatable {
        /// Completes a box, and is never worse than another move.
        case take(Int)
        /// The last two boxes of a chain or four of a loop can be taken. The player may leave them to the other one
        /// by `leave`, who must then move elsewhere.
        case deal(take: Int, leave: Int)
        /// No box can be taken.
        case open
    }

    func choice(_ drawn: UInt64) -> Choice {
        var kept: (run: Run, take: Int)?
        for box in sides.indices {
            let free = sides[box] & ~drawn
            guard free.nonzeroBitCount == 1 else { continue }
            let line = free.trailingZeroBitCount
            let run = run(from: box, drawn)
            guard run.length == (run.isClosed ? 4 : 2) else { return .take(line) }
            guard let other = kept else {
                kept = (run, line)
                continue
            }
            // A closed run is found from both ends. Of two runs, an open one is kept, since leaving it costs less.
            if run.isClosed, run.second == other.run.second { continue }
            return .take(run.isClosed ? line : other.take)
        }
        return kept.map { .deal(take: $0.take, leave: $0.run.second) } ?? .open
    }

    /// Lines that complete a box.
    func taking(_ drawn: UInt64) -> UInt64 {
        sides.reduce(0) { lines, box in
            let free = box & ~drawn
            return free.nonzeroBitCount == 1 ? lines | free : lines
        }
    }

    /// Free lines after which no box can be taken, if none can be taken before.
    func safe(_ drawn: UInt64) -> UInt64 {
        ~drawn & all & ~sides.reduce(0) { lines, box in (box & ~drawn).nonzeroBitCount <= 2 ? lines | box : lines }
    }

    /// A line of each chain, with the number of its boxes. All lines of a chain are equal, except in a chain of two:
    /// after the line between its boxes, the other player cannot leave them.
    func chains(_ drawn: UInt64) -> [(line: Int, length: Int)] {
        var seen: UInt64 = 0
        var chains: [(line: Int, length: Int)] = []
        for box in sides.indices where seen >> UInt64(box) & 1 == 0 {
            let free = sides[box] & ~drawn
            guard free.nonzeroBitCount == 2 else { continue }
            let (one, other) = (free.trailingZeroBitCount, 63 - free.leadingZeroBitCount)
            seen |= 1 << UInt64(box)
            let ahead = follow(one, from: box, drawn, &seen)
            let length = 1 + ahead + follow(other, from: box, drawn, &seen)
            chains.append((length == 2 && ahead == 0 ? other : one, length))
        }
        return chains
    }

    private func follow(_ line: Int, from box: Int, _ drawn: UInt64, _ seen: inout UInt64) -> Int {
        var (line, box, count) = (line, box, 0)
        while let next = neighbour(of: box, across: line), seen >> UInt64(next) & 1 == 0 {
            let free = sides[next] & ~drawn & ~(1 << UInt64(line))
            guard free.nonzeroBitCount == 1 else { break }
            seen |= 1 << UInt64(next)
            count += 1
            (line, box) = (free.trailingZeroBitCount, next)
        }
        return count
    }

    /// Boxes that can be taken one after the other.
    private struct Run {
        var length = 1
        /// Whether its last box has three sides, too.
        var isClosed = false
        /// Its second line.
        var second = -1
    }

    private func run(from start: Int, _ drawn: UInt64) -> Run {
        var (run, box) = (Run(), start)
        var line = (sides[start] & ~drawn).trailingZeroBitCount
        while let next = neighbour(of: box, across: line) {
            let free = sides[next] & ~drawn & ~(1 << UInt64(line))
            guard free.nonzeroBitCount <= 1 else { break }
            run.length += 1
            run.isClosed = free == 0
            if free == 0 { break }
            (line, box) = (free.trailingZeroBitCount, next)
            if run.length == 2 { run.second = line }
        }
        return run
    }

    private func neighbour(of box: Int, across line: Int) -> Int? {
        let (first, second) = beside[line]
        return first == box ? second : first
    }

    /// The number of boxes that a free line completes.
    func gain(of line: Int, _ drawn: UInt64) -> Int {
        let (bit, (first, second)) = (UInt64(1) << UInt64(line), beside[line])
        return (sides[first] & ~drawn == bit ? 1 : 0) + (second.map { sides[$0] & ~drawn == bit } == true ? 1 : 0)
    }
}
