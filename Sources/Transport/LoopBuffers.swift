// Allocates a loop's buffers and passes them on as spans, by pointer inside this file.
import Cryptography

/// The buffers that all connections of a loop share. A connection owns bytes only while something is incomplete.
final class LoopBuffers {
    /// The most that is read from one connection in a turn, so that none starves the others.
    static let inputBytes = 65_536

    private let input: UnsafeMutableRawBufferPointer
    private let plain: UnsafeMutableRawBufferPointer
    /// Encrypted frames: room for `inputBytes` of plaintext in records.
    private let records: UnsafeMutableRawBufferPointer

    init() {
        let recordCount = LoopBuffers.inputBytes / TLSSession.recordBytes + 1
        input = .allocate(byteCount: LoopBuffers.inputBytes, alignment: 16)
        plain = .allocate(byteCount: LoopBuffers.inputBytes + TLSSession.heldBytes, alignment: 16)
        records = .allocate(
            byteCount: LoopBuffers.inputBytes + recordCount * TLSSession.overheadBytes, alignment: 16)
    }

    deinit { for buffer in [input, plain, records] { buffer.deallocate() } }

    func receiveBytes(from number: Int32) -> Received {
        var bytes = input.mutableBytes
        return SocketCalls.receiveBytes(number, into: &bytes)
    }

    /// Calls `body` with the first `count` bytes that were received last.
    @inline(__always)
    func withInput(_ count: Int, _ body: (inout MutableRawSpan) -> Void) {
        var bytes = UnsafeMutableRawBufferPointer(rebasing: input[..<count]).mutableBytes
        body(&bytes)
    }

    /// Calls `body` with the first `count` bytes that were decrypted last.
    @inline(__always)
    func withPlain(_ count: Int, _ body: (inout MutableRawSpan) -> Void) {
        var bytes = UnsafeMutableRawBufferPointer(rebasing: plain[..<count]).mutableBytes
        body(&bytes)
    }

    /// The first `count` bytes that were encrypted last, as they are sent or kept.
    @inline(__always)
    func withRecords<Result>(_ count: Int, _ body: (RawSpan) -> Result) -> Result {
        body(UnsafeRawBufferPointer(rebasing: records[..<count]).bytes)
    }

    /// Decrypts what a peer has sent. The outcome says how much plaintext there is, and how many records to send.
    func decrypt(_ bytes: RawSpan, with tls: TLSSession) -> TLSSession.Outcome {
        var plain = plain.mutableBytes
        var records = records.mutableBytes
        return tls.decrypt(bytes, into: &plain, encrypted: &records)
    }

    func encrypt(_ bytes: RawSpan, with tls: TLSSession) -> TLSSession.Outcome? {
        var records = records.mutableBytes
        return tls.encrypt(bytes, into: &records)
    }

    /// Writes the end of a session; returns the size of its record.
    func encryptEnd(of tls: TLSSession) -> Int {
        var records = records.mutableBytes
        return tls.close(encrypted: &records)
    }
}
