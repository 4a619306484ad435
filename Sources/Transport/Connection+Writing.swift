// Passes the loop's shared buffers to the socket by pointer; nothing keeps them past a call.
import Cryptography
import WebProtocols

extension Connection {
    /// At the turn's end, sends what is queued, unless the socket is known to take nothing.
    func flush() {
        flags.remove(.isDirty)
        guard flags.contains(.isBlocked) else { return sendQueued() }
        queue = loop.pool.keep(queue)
        loop.note(queuedBytes, waitingFor: token)
    }

    /// Sends as much as the socket takes and the connection's share of a turn allows.
    func sendQueued() {
        guard let socket, phase != .moved else { return }
        var share = TransportOptions.flushShareBytes
        while share > 0 {
            if let rare, rare.unsentRecordBytes > 0 {
                guard
                    let count = rare.encrypted.withUnsafeBytes({
                        socket.send(UnsafeRawBufferPointer(rebasing: $0.suffix(rare.unsentRecordBytes)))
                    })
                else { return end() }
                loop.counters.sentBytes.add(count)
                share -= count
                guard passEncrypted(count, of: rare) else { return block(progress: count) }
                continue
            }
            if queue.isEmpty, !queueOwedPong() { return flushed() }
            if let tls {
                share -= encrypt(with: tls)
                if phase == .ended { return }
            } else {
                let front = loop.pool.withFront(of: queue, gatheringInto: loop.buffers.gathered) { bytes in
                    (sent: socket.send(bytes), offered: bytes.count)
                }
                guard let sent = front.sent else { return end() }
                loop.counters.sentBytes.add(sent)
                queue = loop.pool.removeFirst(sent, from: queue)
                share -= sent
                if sent < front.offered { return block(progress: sent) }
            }
        }
        // Other connections are served first. This one continues in the next turn.
        queue = loop.pool.keep(queue)
        markDirty()
    }

    /// Encrypts the front of the queue and sends the records; returns the plaintext's size.
    private func encrypt(with tls: TLSSession) -> Int {
        let outcome = loop.pool.withFront(of: queue, gatheringInto: loop.buffers.gathered) { bytes in
            var records = loop.buffers.encrypted.mutableBytes
            return tls.encrypt(bytes.bytes, into: &records)
        }
        guard let outcome else {
            end()
            return 0
        }
        queue = loop.pool.removeFirst(outcome.plainBytes, from: queue)
        sendEncrypted(outcome.encryptedBytes)
        return outcome.encryptedBytes
    }

    /// Sends the first bytes of the loop's buffer of records, and keeps those that the socket does not take for
    /// `flush`.
    func sendEncrypted(_ count: Int) {
        let records = UnsafeRawBufferPointer(rebasing: loop.buffers.encrypted[..<count])
        guard let socket, phase != .moved else { return }
        var sent = 0
        if unsentRecordBytes == 0 {
            guard let taken = socket.send(records) else { return end() }
            loop.counters.sentBytes.add(taken)
            sent = taken
        }
        guard sent < count else { return }
        madeRare.encrypted += records[sent...]
        madeRare.unsentRecordBytes += count - sent
        markDirty()
    }

    /// `count` bytes of the kept records were sent. Returns whether they were the last.
    private func passEncrypted(_ count: Int, of rare: RareState) -> Bool {
        rare.unsentRecordBytes -= count
        guard rare.unsentRecordBytes == 0 else { return false }
        rare.encrypted = []
        letGoOfRare()
        return true
    }

    /// The socket takes no more for now.
    private func block(progress: Int) {
        queue = loop.pool.keep(queue)
        loop.note(queuedBytes, waitingFor: token)
        if progress > 0 { lastHeard = loop.now }
        if !flags.contains(.isBlocked) {
            flags.insert(.isBlocked)
            schedule()
        }
        resumeIfPossible()
        updateInterest()
    }

    /// Everything queued has been sent.
    private func flushed() {
        pongCount = 0
        let wasBlocked = flags.contains(.isBlocked)
        let owesDrained = wasBlocked || flags.contains(.owesDrained)
        flags.subtract([.isBlocked, .owesDrained])
        if phase == .lingering {
            endOutput()
            if phase == .ended { return }
        }
        if wasBlocked {
            loop.note(0, waitingFor: token)
            lastHeard = loop.now
            schedule()
            updateInterest()
        }
        if owesDrained, flags.contains(.isKnown) { loop.service.drained(self) }
        resumeIfPossible()
    }

    /// Answers the newest ping that had to wait. Returns whether there was one.
    private func queueOwedPong() -> Bool {
        guard let rare, let payload = rare.owedPong, phase == .webSocket else { return false }
        rare.owedPong = nil
        letGoOfRare()
        queue = loop.pool.append(Frame.pong(payload).bytes, to: queue)
        return true
    }

    /// Tells the peer that nothing more will be sent, in TLS and in TCP, and waits for it to do the same.
    private func endOutput() {
        guard !flags.contains(.outputEnded), let socket else { return }
        flags.insert(.outputEnded)
        if let tls {
            let count = sealEnd(of: tls)
            if count > 0 {
                // Too late for a queue. A socket without room even for this is about to be closed anyway.
                _ = socket.send(UnsafeRawBufferPointer(rebasing: loop.buffers.encrypted[..<count]))
            }
        }
        socket.endOutput()
        guard !flags.contains(.inputEnded) else { return end() }
        startPhase(.lingering)
        updateInterest()
    }

    /// Writes the end of a session to the loop's buffer of records; returns its size. (A method of its own because
    /// Swift 6.3.1 fails to optimise `endOutput` with it inside.)
    private func sealEnd(of tls: TLSSession) -> Int {
        var records = loop.buffers.encrypted.mutableBytes
        return tls.close(encrypted: &records)
    }
}
