// Copies bytes into buffers of the loop's; nothing keeps the pointers.
import WebProtocols

/// The bytes that wait for one connection: a list in the loop's `SendPool`, then the last bytes written into the turn's
/// buffer. An empty queue owns no memory.
struct SendQueue {
    fileprivate static let none = UInt32.max

    fileprivate var head = SendQueue.none
    fileprivate var tail = SendQueue.none
    /// Bytes of the first piece that are already sent.
    fileprivate var offset: UInt32 = 0
    /// The bytes after the last piece, in the turn's buffer.
    fileprivate var turnStart: UInt32 = 0
    fileprivate var turnEnd: UInt32 = 0
    // Short, since each connection has one; `queueLimitBytes` and one frame are far below 4 GiB.
    private var bytes: UInt32 = 0

    /// All bytes that wait.
    fileprivate(set) var byteCount: Int {
        get { Int(bytes) }
        set { bytes = UInt32(newValue) }
    }

    var isEmpty: Bool { bytes == 0 }
    fileprivate var hasPieces: Bool { head != SendQueue.none }
    fileprivate var hasTurn: Bool { turnStart != turnEnd }
}

/// The bytes that wait for all connections of a loop. A message for several is a shared array. One for a single
/// connection is written into the turn's buffer, which is free again once the turn's bytes are sent.
///
/// Queues are passed and returned as values, so that none is borrowed while something else is called.
final class SendPool {
    private var pieces = SendPieces()
    /// What has been written in this turn, up to `turnEnd`.
    private let turn: UnsafeMutableRawBufferPointer
    private var turnEnd = 0
    /// Several pieces in a row, for one send.
    private let gathered: UnsafeMutableRawBufferPointer

    init() {
        turn = .allocate(byteCount: 2 * LoopBuffers.inputBytes, alignment: 16)
        gathered = .allocate(byteCount: LoopBuffers.inputBytes, alignment: 16)
    }

    deinit {
        turn.deallocate()
        gathered.deallocate()
    }

    /// Whether the turn's bytes should be sent before more are written.
    var isTurnFull: Bool { turnEnd > turn.count / 2 }

    /// All that was written is sent or kept.
    func endTurn() { turnEnd = 0 }

    func append(_ bytes: [UInt8], to queue: SendQueue) -> SendQueue {
        guard !bytes.isEmpty else { return queue }
        var queue = queue
        closeTurn(of: &queue)
        pieces.link(SendPieces.Node(bytes: bytes), to: &queue)
        queue.byteCount += bytes.count
        return queue
    }

    /// Appends a message that only this connection gets, masked if there is a key.
    func append(_ kind: MessageKind, _ payload: RawSpan, maskingKey: UInt32?, to queue: SendQueue) -> SendQueue {
        var span = turn.mutableBytes
        guard let size = Frame.write(kind, payload, maskingKey: maskingKey, to: &span, at: turnEnd) else {
            return append(Frame.bytes(kind, payload, maskingKey: maskingKey), to: queue)
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

    /// Removes the `count` bytes at the front, which have been sent.
    func removeFirst(_ count: Int, from queue: SendQueue) -> SendQueue {
        var queue = queue
        queue.byteCount -= count
        let rest = UInt32(pieces.removeFirst(count, from: &queue, freeing: &turnEnd))
        guard !queue.hasPieces else { return queue }
        queue.turnStart += rest
        if !queue.hasTurn, Int(queue.turnEnd) == turnEnd { turnEnd = Int(queue.turnStart - rest) }
        return queue
    }

    /// Frees everything that waits.
    func removeAll(from queue: SendQueue) {
        var queue = queue
        _ = pieces.removeFirst(.max, from: &queue, freeing: &turnEnd)
    }

    /// Copies the queue's bytes out of the turn's buffer, since they wait for longer than the turn.
    func keep(_ queue: SendQueue) -> SendQueue {
        var queue = queue
        closeTurn(of: &queue)
        var index = queue.head
        while index != SendQueue.none {
            if pieces[index].isOfTurn { pieces[index].bytes = withBytes(of: index) { [UInt8]($0) } }
            index = pieces[index].next
        }
        return queue
    }

    /// Everything that waits, as one piece.
    func joined(_ queue: SendQueue) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: queue.byteCount) { buffer, count in
            count = gather(queue, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Calls `body` with bytes from the front: the first piece if it is alone or long, otherwise as many as are sent at
    /// once. `queue` is not empty.
    func withFront<Result>(of queue: SendQueue, _ body: (RawSpan) -> Result) -> Result {
        guard queue.hasPieces else { return body(turnBytes(from: queue.turnStart, to: queue.turnEnd).bytes) }
        let left = pieces[queue.head].count - Int(queue.offset)
        if left == queue.byteCount || left >= gathered.count {
            return withBytes(of: queue.head) { body($0.bytes.extracting(Int(queue.offset)..<$0.count)) }
        }
        return body(UnsafeRawBufferPointer(rebasing: gathered[..<gather(queue, into: gathered)]).bytes)
    }

    /// Copies as many bytes from the front as `buffer` takes; returns how many.
    private func gather(_ queue: SendQueue, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var (index, offset, filled) = (queue.head, Int(queue.offset), 0)
        while index != SendQueue.none, filled < buffer.count {
            filled += withBytes(of: index) { Self.copy($0[offset...], into: buffer[filled...]) }
            (index, offset) = (pieces[index].next, 0)
        }
        let last = turnBytes(from: queue.turnStart, to: queue.turnEnd)
        return filled + Self.copy(last[...], into: buffer[filled...])
    }

    /// Copies as many bytes as there is room for; returns how many.
    private static func copy(
        _ bytes: Slice<UnsafeRawBufferPointer>, into buffer: Slice<UnsafeMutableRawBufferPointer>
    ) -> Int {
        let part = bytes.prefix(buffer.count)
        UnsafeMutableRawBufferPointer(rebasing: buffer).copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
        return part.count
    }

    private func withBytes<Result>(of index: UInt32, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let node = pieces[index]
        return node.isOfTurn ? body(turnBytes(from: node.start, to: node.end)) : node.bytes.withUnsafeBytes(body)
    }

    private func turnBytes(from start: UInt32, to end: UInt32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: turn[Int(start)..<Int(end)])
    }

    /// Turns the bytes written last into a piece, since something follows them.
    private func closeTurn(of queue: inout SendQueue) {
        guard queue.hasTurn else { return }
        pieces.link(SendPieces.Node(bytes: [], start: queue.turnStart, end: queue.turnEnd), to: &queue)
        queue.turnStart = queue.turnEnd
    }
}

/// The pieces of all queues of a loop, in lists. One value, so that Swift checks one access to it, not one to each
/// field.
private struct SendPieces {
    /// Nodes kept for reuse when nothing waits; the memory of more is freed.
    private static let keptNodes = 1_024

    /// A piece of a queue.
    struct Node {
        /// Empty if the bytes are in the turn's buffer.
        var bytes: [UInt8]
        /// Where they are in the turn's buffer.
        var start: UInt32 = 0
        var end: UInt32 = 0
        var next = SendQueue.none

        var isOfTurn: Bool { bytes.isEmpty }
        var count: Int { isOfTurn ? Int(end - start) : bytes.count }
    }

    private var nodes: [Node] = []
    private var firstFree = SendQueue.none
    private var liveCount = 0

    subscript(index: UInt32) -> Node {
        get { nodes[Int(index)] }
        set { nodes[Int(index)] = newValue }
    }

    mutating func link(_ node: Node, to queue: inout SendQueue) {
        let index: UInt32
        if firstFree != SendQueue.none {
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

    /// Removes up to `count` bytes from the queue's pieces. Returns how many of `count` are left after the last piece.
    /// The turn's bytes that were written last, before `turnEnd`, can be overwritten at once.
    mutating func removeFirst(_ count: Int, from queue: inout SendQueue, freeing turnEnd: inout Int) -> Int {
        var rest = count
        while queue.hasPieces {
            let index = queue.head
            let node = nodes[Int(index)]
            let left = node.count - Int(queue.offset)
            guard rest >= left else {
                queue.offset += UInt32(rest)
                return 0
            }
            rest -= left
            if node.isOfTurn, Int(node.end) == turnEnd { turnEnd = Int(node.start) }
            (queue.head, queue.offset) = (node.next, 0)
            nodes[Int(index)] = Node(bytes: [], next: firstFree)
            firstFree = index
            liveCount -= 1
        }
        freeIfIdle()
        return rest
    }

    private mutating func freeIfIdle() {
        guard liveCount == 0, nodes.count > Self.keptNodes else { return }
        nodes = []
        firstFree = SendQueue.none
    }
}
