// Owns file descriptors and passes pointers to system calls for their length; nothing keeps them.
import CLinux
import Glibc

/// A file descriptor that this process owns, closed once with its owner.
struct Descriptor: ~Copyable {
    let number: Int32

    init(owning number: Int32) { self.number = number }

    deinit { close(number) }
}

/// A connection's socket and its admitted place. The socket is closed and the place freed with the last reference.
final class Socket: Sendable {
    /// Held as long as the socket is open.
    private let place: Admission.Place?
    let number: Int32

    init(owning number: Int32, place: consuming Admission.Place?) {
        self.place = place
        self.number = number
    }

    deinit { close(number) }

    enum Received: Equatable { case bytes(Int), nothing, ended, failed }

    /// Reads the bytes that are available, as many as fit.
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

    /// Ends the output of this side. The peer reads to the end and then sees it.
    func endOutput() { _ = shutdown(number, Int32(SHUT_WR)) }

    /// Called before connecting, so that it sets the window announced to the peer.
    func limitReceiveBuffer(to bytes: Int) {
        var size = Int32(clamping: bytes)
        // If it fails, the peer only notices later that no one reads.
        _ = setsockopt(number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Makes each send leave at once, since related bytes are already combined.
    func sendWithoutDelay() {
        var isOn: Int32 = 1
        // It only costs latency if the kernel refuses.
        _ = setsockopt(number, Int32(IPPROTO_TCP), TCP_NODELAY, &isOn, socklen_t(MemoryLayout<Int32>.size))
    }
}

/// The buffers that all connections of a loop share. A connection owns bytes only while something is incomplete.
final class LoopBuffers {
    /// The most that is read from one connection in a turn, so that none starves the others.
    static let inputBytes = 65_536

    /// Bytes as they came from a socket.
    let input: UnsafeMutableRawBufferPointer
    /// Decrypted bytes.
    let plain: UnsafeMutableRawBufferPointer
    /// Messages for single connections, written in this turn.
    let turn: UnsafeMutableRawBufferPointer
    /// Several frames in a row, for one send.
    let gathered: UnsafeMutableRawBufferPointer
    /// Encrypted frames: room for `inputBytes` of plaintext in records.
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
