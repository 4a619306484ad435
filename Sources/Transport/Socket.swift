// Owns file descriptors and hands pointers to system calls for their length; nothing keeps them.
import CLinux
import Glibc

/// A file descriptor that this process owns; closed once, when its owner goes.
struct Descriptor: ~Copyable {
    let number: Int32

    init(owning number: Int32) { self.number = number }

    deinit { close(number) }
}

/// A connection's socket and its place among those admitted; closed, and its place free again, when nobody has it any
/// more.
final class Socket: Sendable {
    /// Held for as long as the socket is open.
    private let place: Admission.Place?
    let number: Int32

    init(owning number: Int32, place: consuming Admission.Place?) {
        self.place = place
        self.number = number
    }

    deinit { close(number) }

    enum Received: Equatable { case bytes(Int), nothing, ended, failed }

    /// What there is now, as much as fits.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Received {
        let count = flipside_receive(number, buffer.baseAddress, buffer.count)
        if count > 0 { return .bytes(count) }
        if count == 0 { return .ended }
        return errno == EAGAIN || errno == EINTR ? .nothing : .failed
    }

    /// How many bytes the kernel took, 0 if it has no room; nil if the connection is gone.
    func send(_ bytes: UnsafeRawBufferPointer) -> Int? {
        let count = flipside_send(number, bytes.baseAddress, bytes.count)
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : nil
    }

    /// Ends what this side sends; the peer reads to the end and then sees it.
    func endOutput() { _ = shutdown(number, Int32(SHUT_WR)) }

    /// Ahead of connecting, so that it rules the window that is told to the peer.
    func limitReceiveBuffer(to bytes: Int) {
        var size = Int32(clamping: bytes)
        // Without it the peer only notices later that nobody reads.
        _ = setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Has each send leave at once: what belongs together is put together before.
    func sendWithoutDelay() {
        var isOn: Int32 = 1
        // It only costs latency if the kernel refuses.
        _ = setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// The buffers that all connections of a loop share: a connection owns bytes only while something is incomplete.
final class LoopBuffers {
    /// The most that one connection is read in a turn, so that none starves the others.
    static let inputBytes = 65_536

    /// Bytes as they came from a socket.
    let input: UnsafeMutableRawBufferPointer
    /// What TLS made of them.
    let plain: UnsafeMutableRawBufferPointer
    /// What is written in a turn for one connection each.
    let turn: UnsafeMutableRawBufferPointer
    /// Several frames one behind the other, for one send.
    let gathered: UnsafeMutableRawBufferPointer
    /// What TLS made of frames: room for `inputBytes` of plaintext in records.
    let encrypted: UnsafeMutableRawBufferPointer

    init(heldBytes: Int, recordBytes: Int, overheadBytes: Int) {
        let records = LoopBuffers.inputBytes / recordBytes + 1
        input = .allocate(byteCount: LoopBuffers.inputBytes, alignment: 16)
        plain = .allocate(byteCount: LoopBuffers.inputBytes + heldBytes, alignment: 16)
        turn = .allocate(byteCount: 2 * LoopBuffers.inputBytes, alignment: 16)
        gathered = .allocate(byteCount: LoopBuffers.inputBytes, alignment: 16)
        encrypted = .allocate(byteCount: LoopBuffers.inputBytes + records * overheadBytes, alignment: 16)
    }

    deinit { for buffer in [input, plain, turn, gathered, encrypted] { buffer.deallocate() } }
}
