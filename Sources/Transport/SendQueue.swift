// Copies bytes into a buffer of the loop's; nothing keeps the pointers.

/// The bytes that wait for one connection: a list within the loop's `SendPool`, so that a connection with nothing
/// waiting owns no memory for it.
struct SendQueue {
    fileprivate var head = SendPool.none
    fileprivate var tail = SendPool.none
    /// Bytes of the first piece that are sent already.
    fileprivate var offset = 0
    /// Bytes that wait, in all.
    fileprivate(set) var byteCount = 0

    var isEmpty: Bool { head == SendPool.none }
}

/// The pieces that wait for all connections of a loop: shared arrays, not copies. Pieces of one connection are linked.
struct SendPool {
    fileprivate static let none = UInt32.max
    /// Nodes kept for later when nothing waits; past it their memory is given back.
    private static let keptNodes = 1_024

    private struct Node {
        var bytes: [UInt8]
        var next: UInt32
    }

    private var nodes: [Node] = []
    private var firstFree = SendPool.none
    private var liveCount = 0

    mutating func append(_ bytes: [UInt8], to queue: inout SendQueue) {
        guard !bytes.isEmpty else { return }
        let index: UInt32
        if firstFree != SendPool.none {
            index = firstFree
            firstFree = nodes[Int(index)].next
            nodes[Int(index)] = Node(bytes: bytes, next: SendPool.none)
        } else {
            index = UInt32(nodes.count)
            nodes.append(Node(bytes: bytes, next: SendPool.none))
        }
        liveCount += 1
        if queue.isEmpty { queue.head = index } else { nodes[Int(queue.tail)].next = index }
        queue.tail = index
        queue.byteCount += bytes.count
    }

    /// Takes away `count` bytes, which have been sent, at the front.
    mutating func removeFirst(_ count: Int, from queue: inout SendQueue) {
        var rest = count
        queue.byteCount -= count
        while rest > 0 || !queue.isEmpty && queue.offset == nodes[Int(queue.head)].bytes.count {
            let left = nodes[Int(queue.head)].bytes.count - queue.offset
            guard rest >= left else {
                queue.offset += rest
                return
            }
            rest -= left
            releaseFirst(of: &queue)
        }
        giveBackIfIdle()
    }

    /// Takes away everything that waits.
    mutating func removeAll(from queue: inout SendQueue) {
        while !queue.isEmpty { releaseFirst(of: &queue) }
        queue.byteCount = 0
        giveBackIfIdle()
    }

    /// Everything that waits, as one piece.
    func joined(_ queue: SendQueue) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(queue.byteCount)
        var (index, offset) = (queue.head, queue.offset)
        while index != SendPool.none {
            bytes += nodes[Int(index)].bytes[offset...]
            (index, offset) = (nodes[Int(index)].next, 0)
        }
        return bytes
    }

    /// Calls `body` with bytes from the front: of the first piece where it is alone or long, else of as many as
    /// `buffer` takes, copied into it. `queue` is not empty.
    func withFront<Result>(
        of queue: SendQueue, gatheringInto buffer: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let left = nodes[Int(queue.head)].bytes.count - queue.offset
        guard queue.head != queue.tail, left < buffer.count else {
            return nodes[Int(queue.head)].bytes.withUnsafeBytes { bytes in
                body(UnsafeRawBufferPointer(rebasing: bytes[queue.offset...]))
            }
        }
        var (index, offset, filled) = (queue.head, queue.offset, 0)
        while index != SendPool.none, filled < buffer.count {
            nodes[Int(index)].bytes.withUnsafeBytes { bytes in
                let part = bytes[offset...].prefix(buffer.count - filled)
                UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: part))
                filled += part.count
            }
            (index, offset) = (nodes[Int(index)].next, 0)
        }
        return body(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
    }

    private mutating func releaseFirst(of queue: inout SendQueue) {
        let index = queue.head
        queue.head = nodes[Int(index)].next
        queue.offset = 0
        if queue.isEmpty { queue.tail = SendPool.none }
        nodes[Int(index)] = Node(bytes: [], next: firstFree)
        firstFree = index
        liveCount -= 1
    }

    private mutating func giveBackIfIdle() {
        guard liveCount == 0, nodes.count > SendPool.keptNodes else { return }
        nodes = []
        firstFree = SendPool.none
    }
}
