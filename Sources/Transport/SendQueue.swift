// Copies bytes into buffers of the loop's; nothing keeps the pointers.
import WebProtocols

/// The bytes that wait for one connection: a list within the loop's `SendPool`, and behind it what was written last
/// into the turn's buffer. A connection with nothing waiting owns no memory for it.
struct SendQueue {
    fileprivate var head = SendPool.none
    fileprivate var tail = SendPool.none
    /// Bytes of the first piece that are sent already.
    fileprivate var offset: UInt32 = 0
    /// What is behind the last piece, in the turn's buffer.
    fileprivate var turnStart: UInt32 = 0
    fileprivate var turnEnd: UInt32 = 0
    // Short, since each connection has one; `queueLimitBytes` and one frame are far below 4 GiB.
    private var bytes: UInt32 = 0

    /// Bytes that wait, in all.
    fileprivate(set) var byteCount: Int {
        get { Int(bytes) }
        set { bytes = UInt32(newValue) }
    }

    var isEmpty: Bool { bytes == 0 }
    fileprivate var hasPieces: Bool { head != SendPool.none }
    fileprivate var hasTurn: Bool { turnStart != turnEnd }
}

/// The bytes that wait for all connections of a loop: what several get is a shared array, what one alone gets is
/// written into the turn's buffer, which is free again once the turn's bytes are sent.
///
/// Queues go in and come out as values, so that none is held while something else is called.
final class SendPool {
    fileprivate static let none = UInt32.max
    /// Nodes kept for later when nothing waits; past it their memory is given back.
    private static let keptNodes = 1_024

    /// A piece of a queue.
    private struct Node {
        /// Empty where the bytes are the turn's.
        var bytes: [UInt8]
        /// Where they lie in the turn's buffer.
        var start: UInt32 = 0
        var end: UInt32 = 0
        var next = SendPool.none

        var isOfTurn: Bool { bytes.isEmpty }
        var count: Int { isOfTurn ? Int(end - start) : bytes.count }
    }

    private var nodes: [Node] = []
    private var firstFree = SendPool.none
    private var liveCount = 0
    /// What has been written in this turn, up to `turnEnd`.
    private let turn: UnsafeMutableRawBufferPointer
    private var turnEnd = 0

    /// `turn`: at most 4 GiB, for as long as the pool is there.
    init(turn: UnsafeMutableRawBufferPointer) { self.turn = turn }

    /// Whether the turn's bytes had better be sent before more is written.
    var isTurnFull: Bool { turnEnd > turn.count / 2 }

    /// All that was written is sent or kept.
    func endTurn() { turnEnd = 0 }

    /// The queue with `bytes` behind it.
    func append(_ bytes: [UInt8], to queue: SendQueue) -> SendQueue {
        guard !bytes.isEmpty else { return queue }
        var queue = queue
        closeTurn(of: &queue)
        link(Node(bytes: bytes), to: &queue)
        queue.byteCount += bytes.count
        return queue
    }

    /// The queue with a message behind it that nobody else gets.
    func append(_ kind: MessageKind, _ payload: RawSpan, to queue: SendQueue) -> SendQueue {
        var span = turn.mutableBytes
        guard let size = Frame.write(kind, payload, to: &span, at: turnEnd) else {
            return append(Frame.message(kind, payload).bytes, to: queue)
        }
        var queue = queue
        if !queue.hasTurn || Int(queue.turnEnd) != turnEnd {
            closeTurn(of: &queue)
            queue.turnStart = UInt32(turnEnd)
        }
        turnEnd += size
        queue.turnEnd = UInt32(turnEnd)
        queue.byteCount += size
        return queue
    }

    /// The queue without the `count` bytes at its front, which have been sent.
    func removeFirst(_ count: Int, from queue: SendQueue) -> SendQueue {
        var (queue, rest) = (queue, count)
        queue.byteCount -= count
        while queue.hasPieces {
            let left = nodes[Int(queue.head)].count - Int(queue.offset)
            guard rest >= left else {
                queue.offset += UInt32(rest)
                return queue
            }
            rest -= left
            releaseFirst(of: &queue)
        }
        queue.turnStart += UInt32(rest)
        if !queue.hasTurn { free(from: queue.turnStart - UInt32(rest), to: queue.turnEnd) }
        giveBackIfIdle()
        return queue
    }

    /// Takes away everything that waits.
    func removeAll(from queue: SendQueue) {
        var queue = queue
        while queue.hasPieces { releaseFirst(of: &queue) }
        giveBackIfIdle()
    }

    /// The queue with a copy of what it has in the turn's buffer: it waits for longer than the turn.
    func keep(_ queue: SendQueue) -> SendQueue {
        var queue = queue
        closeTurn(of: &queue)
        var index = queue.head
        while index != SendPool.none {
            if nodes[Int(index)].isOfTurn { nodes[Int(index)].bytes = withBytes(of: index) { [UInt8]($0) } }
            index = nodes[Int(index)].next
        }
        return queue
    }

    /// Everything that waits, as one piece.
    func joined(_ queue: SendQueue) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: queue.byteCount) { buffer, count in
            count = gather(queue, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Calls `body` with bytes from the front: of the first piece where it is alone or long, else of as many as
    /// `buffer` takes, copied into it. `queue` is not empty.
    func withFront<Result>(
        of queue: SendQueue, gatheringInto buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        guard queue.hasPieces else { return body(turnBytes(from: queue.turnStart, to: queue.turnEnd)) }
        let left = nodes[Int(queue.head)].count - Int(queue.offset)
        if left == queue.byteCount || left >= buffer.count {
            return withBytes(of: queue.head) { body(UnsafeRawBufferPointer(rebasing: $0[Int(queue.offset)...])) }
        }
        return body(UnsafeRawBufferPointer(rebasing: buffer[..<gather(queue, into: buffer)]))
    }

    /// Copies as many bytes from the front as `buffer` takes; how many.
    private func gather(_ queue: SendQueue, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var (index, offset, filled) = (queue.head, Int(queue.offset), 0)
        while index != SendPool.none, filled < buffer.count {
            filled += withBytes(of: index) { Self.copy($0[offset...], into: buffer[filled...]) }
            (index, offset) = (nodes[Int(index)].next, 0)
        }
        let last = turnBytes(from: queue.turnStart, to: queue.turnEnd)
        return filled + Self.copy(last[...], into: buffer[filled...])
    }

    /// As much as there is room for; how much.
    private static func copy(
        _ bytes: Slice<UnsafeRawBufferPointer>, into buffer: Slice<UnsafeMutableRawBufferPointer>
    ) -> Int {
        let part = bytes.prefix(buffer.count)
        UnsafeMutableRawBufferPointer(rebasing: buffer).copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
        return part.count
    }

    private func withBytes<Result>(of index: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let node = nodes[Int(index)]
        return node.isOfTurn ? body(turnBytes(from: node.start, to: node.end)) : node.bytes.withUnsafeBytes(body)
    }

    private func turnBytes(from start: UInt32, to end: UInt32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: turn[Int(start)..<Int(end)])
    }

    /// Makes a piece of what was written last: something comes behind it.
    private func closeTurn(of queue: inout SendQueue) {
        guard queue.hasTurn else { return }
        link(Node(bytes: [], start: queue.turnStart, end: queue.turnEnd), to: &queue)
        queue.turnStart = queue.turnEnd
    }

    private func link(_ node: Node, to queue: inout SendQueue) {
        let index: UInt32
        if firstFree != SendPool.none {
            index = firstFree
            firstFree = nodes[Int(index)].next
            nodes[Int(index)] = node
        } else {
            index = UInt32(nodes.count)
            nodes.append(node)
        }
        liveCount += 1
        if queue.hasPieces { nodes[Int(queue.tail)].next = index } else { queue.head = index }
        queue.tail = index
    }

    private func releaseFirst(of queue: inout SendQueue) {
        let index = Int(queue.head)
        if nodes[index].isOfTurn { free(from: nodes[index].start, to: nodes[index].end) }
        (queue.head, queue.offset) = (nodes[index].next, 0)
        nodes[index] = Node(bytes: [], next: firstFree)
        firstFree = UInt32(index)
        liveCount -= 1
    }

    /// What was written last can be written over at once.
    private func free(from start: UInt32, to end: UInt32) {
        if Int(end) == turnEnd { turnEnd = Int(start) }
    }

    private func giveBackIfIdle() {
        guard liveCount == 0, nodes.count > SendPool.keptNodes else { return }
        nodes = []
        firstFree = SendPool.none
    }
}
