import Cryptography

/// What a server's and a client's connection share: how they read, decrypt, queue and send, and their time-outs.
///
/// A connection has one alarm, which is set when the next time-out gets closer and left alone when it moves away, so a
/// connection in use costs the heap nothing.
protocol StreamConnection: AnyObject {
    var loop: Loop { get }
    var token: UInt64 { get }
    var stream: SocketStream { get }

    /// Adds it to a list of connections to flush at the turn's end.
    func joinDirty()
    func countSent(_ count: Int)
    /// Tells epoll which events to watch for.
    func updateInterest()

    /// Uses bytes as they came from the socket.
    func takeInput(_ bytes: inout MutableRawSpan)
    /// Uses them without TLS.
    func takePlaintext(_ bytes: inout MutableRawSpan)
    func handshakeEnded(of tls: TLSSession)
    func tlsFailed(_ tls: TLSSession)
    /// The peer has sent its last byte.
    func inputEnded()
    /// The connection is gone, so it ends.
    func cut()
    /// Everything queued has been sent.
    func queueSent(wasBlocked: Bool)
    /// The socket takes no more for now.
    func queueBlocked()

    /// When the time-out of the current state is due; `.max` if it has none.
    var deadline: Milliseconds { get }
    /// When the next ping is due if the peer answers the last one, long before it counts as silent; `.max` if no answer
    /// is expected.
    var nextPing: Milliseconds { get }
    func timedOut()
}

// MARK: Input

extension StreamConnection {
    /// Reads what the socket has, up to the loop's buffer.
    func readSocket() {
        switch stream.read(on: loop) {
        case .nothing: break
        case .failed: cut()
        case .ended: inputEnded()
        case .bytes(let count):
            stream.lastHeard = loop.now
            stream.wasPinged = false
            loop.buffers.withInput(count) { takeInput(&$0) }
        }
    }

    /// Decrypts the bytes if necessary, and uses the result.
    func decryptInput(_ bytes: inout MutableRawSpan) {
        if let tls = stream.tls { decrypt(bytes.bytes, with: tls) } else { takePlaintext(&bytes) }
    }

    func decrypt(_ records: RawSpan, with tls: TLSSession) {
        let (outcome, sent) = stream.decrypt(records, with: tls, on: loop)
        countSent(sent ?? 0)
        // The alert, if there is one, is being sent.
        if outcome.state == .failed { return tlsFailed(tls) }
        guard sent != nil else { return cut() }
        if stream.unsentRecordBytes > 0 { markDirty() }
        if stream.isConnecting, tls.isEstablished {
            stream.isConnecting = false
            handshakeEnded(of: tls)
        }
        if outcome.plainBytes > 0, stream.isOpen { loop.buffers.withPlain(outcome.plainBytes) { takePlaintext(&$0) } }
        if outcome.state == .ended, stream.isOpen { inputEnded() }
    }
}

// MARK: Output

extension StreamConnection {
    /// Flushes it at the turn's end.
    func markDirty() {
        guard !stream.isDirty else { return }
        stream.isDirty = true
        joinDirty()
    }

    /// At the turn's end, sends what is queued, unless the socket is known to take nothing.
    func flush() {
        stream.isDirty = false
        guard stream.isBlocked else { return sendQueued() }
        stream.keepQueue(on: loop)
        queueBlocked()
    }

    /// Sends as much as the socket takes and the connection's share of a turn allows.
    func sendQueued() {
        guard stream.isOpen else { return }
        let (state, sent) = stream.sendQueued(on: loop)
        countSent(sent)
        switch state {
        case .finished: queueSent(wasBlocked: stream.unblock(on: loop))
        case .blocked:
            schedule()
            queueBlocked()
            updateInterest()
        case .unfinished: markDirty()
        case .failed: cut()
        }
    }
}

// MARK: Time

extension StreamConnection {
    func schedule() {
        let time = min(deadline, nextPing)
        guard time < stream.alarm else { return }
        stream.alarm = time
        loop.alarms.insert(token, at: time)
    }

    /// An alarm set for `time` has come.
    func wake(for time: Milliseconds) {
        guard time == stream.alarm else { return }
        stream.alarm = .max
        if deadline <= loop.now { timedOut() } else { schedule() }
    }
}
