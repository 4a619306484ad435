// Passes pointers to system calls for their length; nothing keeps them.
import CLinux
import Glibc

/// What a read has brought.
enum Received: Equatable { case bytes(Int), nothing, ended, failed }

/// System calls on a connected socket, by its descriptor.
enum SocketCalls {
    /// Reads the bytes that are available, as many as fit.
    static func receiveBytes(_ number: Int32, into bytes: inout MutableRawSpan) -> Received {
        let count = bytes.withUnsafeMutableBytes { flipside_receive(number, $0.baseAddress, $0.count) }
        if count > 0 { return .bytes(count) }
        if count == 0 { return .ended }
        return errno == EAGAIN || errno == EINTR ? .nothing : .failed
    }

    /// How many bytes the kernel took, 0 if it has no room; nil if the connection is gone.
    static func send(_ bytes: RawSpan, to number: Int32) -> Int? {
        let count = bytes.withUnsafeBytes { flipside_send(number, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : nil
    }

    /// Called before connecting, so that it sets the window announced to the peer. If it fails, the peer only notices
    /// later that no one reads.
    static func limitReceiveBuffer(of number: Int32, to bytes: Int) {
        set(SO_RCVBUF, of: SOL_SOCKET, to: Int32(clamping: bytes), on: number)
    }

    /// Makes each send leave at once, since related bytes are already combined. It only costs latency if the kernel
    /// refuses.
    static func sendWithoutDelay(_ number: Int32) { set(TCP_NODELAY, of: Int32(IPPROTO_TCP), to: 1, on: number) }

    /// Sets an option of this level, if the kernel has it.
    static func set(_ option: Int32, of level: Int32, to value: Int32, on number: Int32) {
        var value = value
        _ = setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Connects to `address`. Returns the system's error, 0 if there is none yet.
    static func connect(_ number: Int32, to address: SocketAddress) -> Int32 {
        let result = address.withPointer { Glibc.connect(number, $0, address.size) }
        return result == 0 || errno == EINPROGRESS ? 0 : errno
    }

    /// The error of the attempt to connect; 0 if it succeeded.
    static func connectionError(of number: Int32) -> Int32 {
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        let result = getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size)
        return result == 0 ? code : errno
    }
}
