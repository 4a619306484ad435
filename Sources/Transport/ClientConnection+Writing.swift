// Passes buffers to the socket by pointer; nothing keeps them past a call.
import Cryptography
import WebProtocols

extension ClientConnection {
    /// Sends as much as the socket takes and the connection's share of a turn allows.
    func flush() {
        guard let socket, phase == .http || phase == .handshake || isWebSocket else { return }
        var share = TransportOptions.flushShareBytes
        while share > 0 {
            if !encrypted.isEmpty {
                guard
                    let count = encrypted.withUnsafeBytes({
                        socket.send(UnsafeRawBufferPointer(rebasing: $0[encryptedOffset...]))
                    })
                else { return fail(.ended) }
                passed(count)
                encryptedOffset += count
                guard encryptedOffset == encrypted.count else { return block() }
                (encrypted, encryptedOffset) = ([], 0)
                share -= count
                continue
            }
            guard sentBytes < outgoing.count, phase != .handshake else { return flushed() }
            if let tls {
                share -= encrypt(with: tls)
                if phase == .ended { return }
                continue
            }
            let sent = outgoing.withUnsafeBytes { socket.send(UnsafeRawBufferPointer(rebasing: $0[sentBytes...])) }
            guard let sent else { return fail(.ended) }
            passed(sent)
            sentBytes += sent
            share -= sent
            if sentBytes < outgoing.count { return block() }
        }
        // Other connections are served first. This one continues in the next turn.
        markDirty()
    }

    /// Encrypts the front of what waits and sends the records; returns the plaintext's size.
    private func encrypt(with tls: TLSSession) -> Int {
        guard let outcome = seal(with: tls) else {
            fail(.tls(reason: tls.failure))
            return 0
        }
        sentBytes += outcome.plainBytes
        sendEncrypted(outcome.encryptedBytes)
        return outcome.encryptedBytes
    }

    /// Encrypts as much as the loop's buffer for records takes.
    private func seal(with tls: TLSSession) -> TLSSession.Outcome? {
        outgoing.withUnsafeBytes { plain in
            var records = loop.buffers.encrypted.mutableBytes
            return tls.encrypt(UnsafeRawBufferPointer(rebasing: plain[sentBytes...]).bytes, into: &records)
        }
    }

    /// Sends the first bytes of the loop's buffer of records, and keeps those that the socket does not take.
    func sendEncrypted(_ count: Int) {
        guard let socket else { return }
        let records = UnsafeRawBufferPointer(rebasing: loop.buffers.encrypted[..<count])
        var sent = 0
        if encrypted.isEmpty {
            guard let taken = socket.send(records) else { return fail(.ended) }
            sent = taken
            passed(sent)
        }
        guard sent < count else { return }
        encrypted += records[sent...]
        markDirty()
    }

    private func passed(_ count: Int) { loop.clients.sentBytes += count }

    /// The socket takes no more for now.
    private func block() {
        // Bytes that were sent are removed, so that a queue that never empties does not grow for ever.
        if sentBytes > ClientLimits.keptBytes, sentBytes > outgoing.count / 2 {
            outgoing.removeFirst(sentBytes)
            sentBytes = 0
        }
        guard !isBlocked else { return }
        isBlocked = true
        lastHeard = loop.now
        schedule()
        updateInterest()
    }

    /// Everything that waited has been sent.
    private func flushed() {
        if phase != .handshake {
            if outgoing.capacity > ClientLimits.keptBytes {
                outgoing = []
            } else {
                outgoing.removeAll(keepingCapacity: true)
            }
            sentBytes = 0
        }
        guard isBlocked else { return }
        isBlocked = false
        updateInterest()
        loop.clients.drained.append(self)
    }
}

extension ClientConnection: TimedConnection {
    var deadline: Milliseconds {
        switch phase {
        case .lookingUp, .connecting, .handshake: return phaseBegan + limits.connectTime.milliseconds
        case .http: return response == nil ? .max : phaseBegan + limits.answerTime.milliseconds
        case .webSocket:
            let silence = limits.silenceLimit.milliseconds
            // A client that reads nothing hears nothing.
            guard !isPaused else { return .max }
            return lastHeard + (wasPinged ? silence : min(limits.pingInterval.milliseconds, silence))
        case .closing: return phaseBegan + limits.closeTime.milliseconds
        case .ended: return .max
        }
    }

    var nextPing: Milliseconds { wasPinged ? loop.now + limits.pingInterval.milliseconds : .max }

    func timedOut() {
        switch phase {
        case .lookingUp, .connecting, .handshake: fail(.timedOut(.connecting))
        case .http: fail(.timedOut(.answer))
        case .webSocket:
            if loop.now - lastHeard >= limits.silenceLimit.milliseconds {
                fail(.silent(limits.silenceLimit))
            } else {
                wasPinged = true
                sendControl(.ping())
                schedule()
            }
        case .closing: finish(serverClose ?? .failed(.timedOut(.closing)))
        case .ended: break
        }
    }
}
