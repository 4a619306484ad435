import CLinux
import Cryptography
import Glibc
import WebProtocols

/// The bytes of one connection, a server's or a client's: its socket, its TLS session, and the bytes that wait for the
/// socket. Everything is sent at the turn's end, with one `send` if possible.
///
/// It decides nothing. Each call returns what has happened, and the connection that owns it decides what follows.
// Unchecked: a stream is handed over whole with its connection, and only the loop that has it calls it.
final class SocketStream: @unchecked Sendable {
    /// What became of the bytes that waited.
    enum Sending {
        case finished
        /// The socket takes no more for now.
        case blocked
        /// Its share of the turn is used up.
        case unfinished
        case failed
    }

    // Small fields are adjacent, so that they are packed: there may be many connections.
    /// Held as long as the socket is open.
    private var place: Admission.Place?
    /// What is queued has to wait, since TCP or TLS is not connected yet.
    var isConnecting = false
    /// The socket's descriptor; -1 without one.
    private(set) var number: Int32
    var tls: TLSSession?
    /// Bytes that wait for the socket, before TLS.
    private(set) var queue = SendQueue()
    /// How many bytes of `records`, the last ones, the socket has not taken.
    private(set) var unsentRecordBytes: UInt32 = 0
    private var interest: UInt8 = 0
    /// The socket did not take everything; epoll reports when to continue.
    private(set) var isBlocked = false
    /// The peer will send nothing more.
    var inputEnded = false
    /// A ping has been sent since the peer was last heard.
    var wasPinged = false
    /// In a list of connections to flush at the turn's end.
    var isDirty = false
    /// This side will send nothing more.
    private(set) var outputEnded = false
    private var records: [UInt8] = []
    /// When the peer last sent something, or took something that waited.
    var lastHeard: Milliseconds = 0
    /// When the loop next checks whether a time-out is due; `.max` if no alarm is set.
    var alarm = Milliseconds.max

    init(owning number: Int32 = -1, place: consuming Admission.Place? = nil) {
        self.number = number
        self.place = place
    }

    deinit { closeSocket() }

    /// Bytes that wait for the socket, this turn's included.
    var queuedBytes: Int { queue.byteCount + Int(unsentRecordBytes) }

    var isOpen: Bool { number >= 0 }

    // MARK: The socket

    /// Has `epoll` report these events of the socket. False if the kernel has no memory for it.
    func register(for events: UInt32, token: UInt64, with epoll: borrowing Epoll) -> Bool {
        interest = UInt8(events)
        return epoll.add(number, for: events, token: token)
    }

    /// Tells epoll whether to watch for input. It watches for output while the socket is blocked.
    func watch(forInput wantsInput: Bool, token: UInt64, on loop: Loop) {
        let events = (wantsInput ? Epoll.input : 0) | (isBlocked ? Epoll.output : 0)
        guard events != UInt32(interest), isOpen else { return }
        interest = UInt8(events)
        loop.epoll.change(number, to: events, token: token)
    }

    var isWatchingInput: Bool { UInt32(interest) & Epoll.input != 0 }

    func replaceSocket(by number: Int32) {
        closeSocket()
        self.number = number
    }

    /// Only this stream has the socket, so closing it also removes it from epoll.
    private func closeSocket() {
        if number >= 0 { Glibc.close(number) }
        number = -1
        place = nil
    }

    /// Closes the socket and frees everything, since the owner may keep the stream for longer.
    func close(on loop: Loop) {
        closeSocket()
        isBlocked = false
        loop.pool.removeAll(from: queue)
        (queue, records, unsentRecordBytes, tls) = (SendQueue(), [], 0, nil)
    }

    /// Moves the socket, its session and its records to a stream for another loop. The bytes in the queue come apart,
    /// since the queue belongs to this loop.
    func leave(_ loop: Loop) -> (stream: SocketStream, unsent: [UInt8]) {
        loop.epoll.remove(number)
        let moved = SocketStream(owning: number, place: place.take())
        number = -1
        (moved.tls, moved.records, moved.unsentRecordBytes) = (tls, records, unsentRecordBytes)
        let unsent = loop.pool.joined(queue)
        close(on: loop)
        return (moved, unsent)
    }

    // MARK: Input

    func read(on loop: Loop) -> Received { loop.buffers.receiveBytes(from: number) }

    /// Decrypts `bytes` into the loop's buffer, and sends what the session answers.
    func decrypt(_ bytes: RawSpan, with tls: TLSSession, on loop: Loop) -> (TLSSession.Outcome, sent: Int?) {
        let outcome = loop.buffers.decrypt(bytes, with: tls)
        return (outcome, sendRecords(outcome.encryptedBytes, on: loop))
    }

    // MARK: Output

    /// Queues bytes as they go on the wire, before TLS.
    func enqueue(_ bytes: [UInt8], on loop: Loop) { queue = loop.pool.append(bytes, to: queue) }

    /// Queues a message that only this connection gets. A client's has a `maskingKey`.
    func enqueue(_ kind: MessageKind, _ payload: RawSpan, maskingKey: UInt32? = nil, on loop: Loop) {
        queue = loop.pool.append(kind, payload, maskingKey: maskingKey, to: queue)
    }

    /// At the turn's end, keeps what waits for a blocked socket.
    func keepQueue(on loop: Loop) { queue = loop.pool.keep(queue) }

    /// Sends as much as the socket takes and the connection's share of a turn allows. Also returns how much that was.
    func sendQueued(on loop: Loop) -> (Sending, sent: Int) {
        var sent = 0
        while sent < TransportOptions.flushShareBytes {
            if unsentRecordBytes > 0 {
                guard let count = sendKeptRecords() else { return (.failed, sent) }
                sent += count
                unsentRecordBytes -= UInt32(count)
                guard unsentRecordBytes == 0 else { return block(sent, on: loop) }
                records = []
            } else if queue.isEmpty || isConnecting {
                return (.finished, sent)
            } else if let tls {
                let outcome = loop.pool.withFront(of: queue) { loop.buffers.encrypt($0, with: tls) }
                guard let outcome else { return (.failed, sent) }
                queue = loop.pool.removeFirst(outcome.plainBytes, from: queue)
                guard let count = sendRecords(outcome.encryptedBytes, on: loop) else { return (.failed, sent) }
                sent += count
            } else {
                let front = loop.pool.withFront(of: queue) { bytes in
                    (sent: SocketCalls.send(bytes, to: number), offered: bytes.byteCount)
                }
                guard let count = front.sent else { return (.failed, sent) }
                queue = loop.pool.removeFirst(count, from: queue)
                sent += count
                if count < front.offered { return block(sent, on: loop) }
            }
        }
        // Other connections are served first. This one continues in the next turn.
        keepQueue(on: loop)
        return (.unfinished, sent)
    }

    private func sendKeptRecords() -> Int? {
        let records = records
        return SocketCalls.send(records.span.bytes.extracting(last: Int(unsentRecordBytes)), to: number)
    }

    private func block(_ sent: Int, on loop: Loop) -> (Sending, sent: Int) {
        keepQueue(on: loop)
        if sent > 0 { lastHeard = loop.now }
        isBlocked = true
        return (.blocked, sent)
    }

    /// Everything has been sent. Returns whether the socket was blocked before.
    func unblock(on loop: Loop) -> Bool {
        guard isBlocked else { return false }
        isBlocked = false
        lastHeard = loop.now
        return true
    }

    /// Sends the first bytes of the loop's buffer of records, and keeps those that the socket does not take. Returns
    /// how many were sent; nil if the connection is gone.
    private func sendRecords(_ count: Int, on loop: Loop) -> Int? {
        guard count > 0 else { return 0 }
        return loop.buffers.withRecords(count) { bytes in
            var sent = 0
            if unsentRecordBytes == 0 {
                guard let taken = SocketCalls.send(bytes, to: number) else { return nil }
                sent = taken
            }
            if sent < count {
                records.append(bytes.extracting(sent..<count))
                unsentRecordBytes += UInt32(count - sent)
            }
            return sent
        }
    }

    /// Tells the peer that nothing more will be sent, in TLS and in TCP.
    func endOutput(on loop: Loop) {
        outputEnded = true
        // Too late for a queue. A socket without room even for this is about to be closed anyway.
        if let tls {
            loop.buffers.withRecords(loop.buffers.encryptEnd(of: tls)) { _ = SocketCalls.send($0, to: number) }
        }
        _ = shutdown(number, Int32(SHUT_WR))
    }
}
