// Works in the loop's shared buffers by pointer; nothing keeps them past a call.
import Cryptography
import WebProtocols

extension Connection {
    /// Epoll has something to say about it.
    func ready(_ events: UInt32) {
        if events & Epoll.output != 0, flags.contains(.isBlocked) { sendQueued() }
        guard phase != .ended, phase != .moved else { return }
        if events & (Epoll.input | Epoll.broken) != 0 {
            // What came ahead of the peer's end is read first: closed with bytes unread, it would be told of a reset.
            if wantsInput || phase == .lingering { return read() }
            // Nothing will be read for now, and an error would be told again and again.
            if events & Epoll.broken != 0 { return end() }
        }
        updateInterest()
    }

    /// Whether bytes of the peer could be used now.
    var wantsInput: Bool {
        guard flags.isDisjoint(with: [.inputEnded, .isThrottled]), !hasUnread else { return false }
        return canTake || phase == .handshake || phase == .lingering
    }

    /// Whether what was read could be gone on with: no request is under way, and the peer takes its answers.
    var canTake: Bool {
        switch phase {
        case .request: exchange?.isWaiting == true && queuedBytes < loop.options.inputPauseBytes
        case .webSocket, .closing:
            !flags.contains(.isThrottled) && (queuedBytes < loop.options.inputPauseBytes || isQueuedFreely)
        case .handshake, .lingering, .moved, .ended: false
        }
    }

    /// Whether what begins with `first` may be taken in this turn: compressed messages only while the loop's share of
    /// it lasts.
    private func mayTake(_ first: UInt8) -> Bool {
        compression == nil || loop.inflater.inflatedBytes < loop.inflationEnd
            || decoder.isIdle && !FrameHeader.isCompressed(first)
    }

    /// Whether it would not have to wait for the next turn if it was resumed.
    var mayResume: Bool {
        guard canTake, let first = rare?.unread.first else { return true }
        return mayTake(first)
    }

    /// Asks epoll for what is wanted now. Input is only taken back when it came and could not be used, so that a
    /// request that is answered at once costs no call.
    func updateInterest() {
        guard let socket, phase != .moved else { return }
        let wanted = (wantsInput ? Epoll.input : 0) | (flags.contains(.isBlocked) ? Epoll.output : 0)
        guard wanted != interest else { return }
        interest = wanted
        loop.epoll.change(socket.number, to: wanted, token: token)
    }

    /// Takes what the socket has, up to the loop's buffer.
    private func read() {
        guard let socket else { return }
        if phase == .handshake {
            // Left to the next turn: epoll tells again.
            guard loop.handshakesLeft > 0 else { return }
            loop.handshakesLeft -= 1
        }
        switch socket.receive(into: loop.buffers.input) {
        case .nothing: return
        case .failed: return end()
        case .ended: inputEnded()
        case .bytes(let count):
            loop.counters.receivedBytes.add(count)
            lastHeard = loop.now
            flags.remove(.wasPinged)
            spend(count)
            let bytes = UnsafeMutableRawBufferPointer(rebasing: loop.buffers.input[..<count])
            if exchange?.proxyHeaderBytes == nil { receive(bytes) } else { readProxyHeader(bytes) }
        }
        // Answers that are many go while they are near, and make room for those of others.
        if loop.pool.isTurnFull, flags.contains(.isDirty), !flags.contains(.isBlocked) { sendQueued() }
        if phase != .ended { updateInterest() }
    }

    /// So many bytes more have been read, or frames that are work for as many: past two seconds' worth nothing more is,
    /// until one of them has gone by.
    private func spend(_ count: Int) {
        guard !flags.contains(.isReadFreely), phase != .ended else { return }
        readRate.spend(count, perSecond: loop.options.bytesPerSecond, now: loop.now)
        guard readRate.isExceeded(now: loop.now) else { return }
        flags.insert(.isThrottled)
        loop.counters.limits.add(.bytesPerSecond)
        schedule()
    }

    /// Nothing is read for so long.
    private func pauseReading(for time: Milliseconds) {
        readRate.pause(until: loop.now + time)
        flags.insert(.isThrottled)
    }

    /// When a throttled connection is read again.
    var throttledUntil: Milliseconds {
        flags.contains(.isThrottled) ? readRate.freeAgain : .max
    }

    /// Bytes as they came from the socket.
    func receive(_ bytes: UnsafeMutableRawBufferPointer) {
        if let tls { decrypt(bytes, tls) } else { take(bytes) }
    }

    /// Decrypts, and takes what comes of it.
    private func decrypt(_ records: UnsafeMutableRawBufferPointer, _ tls: TLSSession) {
        if !flags.contains(.hasBegun), let first = records.first, isLetter(first) { return refusePlainHTTP() }
        flags.insert(.hasBegun)
        var plain = loop.buffers.plain.mutableBytes
        var answer = loop.buffers.encrypted.mutableBytes
        let outcome = tls.decrypt(UnsafeRawBufferPointer(records).bytes, into: &plain, encrypted: &answer)
        if outcome.encryptedBytes > 0 { sendEncrypted(outcome.encryptedBytes) }
        guard phase != .ended else { return }
        if outcome.state == .failed {
            // The alert, if there is one, is under way; the rest cannot be read.
            flags.insert(.inputEnded)
            countFailure()
            return linger()
        }
        if phase == .handshake, tls.isEstablished { endHandshake(of: tls) }
        if outcome.plainBytes > 0 {
            take(UnsafeMutableRawBufferPointer(rebasing: loop.buffers.plain[..<outcome.plainBytes]))
        }
        if outcome.state == .ended, phase != .ended { inputEnded() }
    }

    // (Both on their own because Swift 6.3.1 fails to optimise `decrypt` with them inside.)

    private func endHandshake(of tls: TLSSession) {
        if let exchange, let version = TLSVersion(rawValue: tls.version) {
            loop.handshakes.append(FinishedHandshake(kind: .tls(version), began: exchange.accepted))
        }
        startPhase(.request)
    }

    private func countFailure() {
        if phase == .handshake { loop.counters.failedTLSHandshakes.add() }
    }

    /// Gives bytes, decrypted, to the phase, and keeps what it cannot use yet.
    func take(_ bytes: UnsafeMutableRawBufferPointer) {
        var span = bytes.mutableBytes
        var offset = 0
        if phase == .request { takeRequests(span.bytes, &offset) }
        if phase == .webSocket || phase == .closing { takeFrames(&span, &offset) }
        if phase == .lingering {
            madeRare.lingerBytes += bytes.count
            if madeRare.lingerBytes > TransportOptions.lingerBytes {
                loop.counters.limits.add(.lingerSize)
                end()
            }
        }
        // One that is to be upgraded takes the rest along.
        if offset < bytes.count, phase != .ended, phase != .lingering {
            madeRare.unread = Array(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
            resumeIfPossible()
        }
    }

    /// Goes on with the unread bytes and with reading, later in this turn or in the next, if that has become possible.
    func resumeIfPossible() {
        guard canTake, hasUnread || interest & Epoll.input == 0, !flags.contains(.isResuming) else { return }
        flags.insert(.isResuming)
        loop.resuming.append(self)
    }

    /// Takes the unread bytes, as far as they can be used.
    func resume() {
        flags.remove(.isResuming)
        guard canTake else { return }
        if hasUnread, let rare {
            var bytes = rare.unread
            rare.unread = []
            bytes.withUnsafeMutableBytes { take($0) }
            letGoOfRare()
        }
        // What came with the end of input is used; the end can be now.
        if phase != .ended, flags.contains(.inputEnded), !hasUnread { inputEnded() }
        if phase != .ended { updateInterest() }
    }

    /// Messages and control frames (RFC 6455 section 5).
    private func takeFrames(_ bytes: inout MutableRawSpan, _ offset: inout Int) {
        let (service, inflater) = (loop.service, compression == nil ? nil : loop.inflater)
        var (share, messages) = (TransportOptions.framesAtOnce, 0)
        defer {
            loop.counters.receivedMessages.add(messages)
            spend((TransportOptions.framesAtOnce - share) * TransportOptions.frameBytes)
        }
        while offset < bytes.byteCount, share > 0, canTake,
            mayTake(bytes.bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self))
        {
            let incoming: Incoming?
            do throws(FrameViolation) {
                incoming = try decoder.next(&bytes, at: &offset, inflater: inflater, share: &share) { message, kind in
                    messages += 1
                    if phase == .webSocket { service.received(message, kind: kind, on: self) }
                    return canTake
                }
            } catch {
                if error.closeCode == .messageTooBig { loop.counters.limits.add(.messageSize) }
                sayClose(error.closeCode, error.sentence)
                pauseReading(for: TransportOptions.violationPause)
                return linger()
            }
            switch incoming {
            case nil: return
            case .message(let kind, let payload):
                messages += 1
                guard phase == .webSocket else { continue }
                switch payload {
                case .inPlace(let range): service.received(bytes.bytes.extracting(range), kind: kind, on: self)
                case .assembled(let message): service.received(message.span.bytes, kind: kind, on: self)
                case .inflated: service.received(loop.inflater.message.bytes, kind: kind, on: self)
                }
            case .ping(let payload): answerPing(payload)
            case .pong: break
            case .close(let code, _):
                // In answer, with their code (section 5.5.1).
                sayClose(code)
                return linger()
            }
        }
    }

    /// This end's close frame, unless it has gone already.
    private func sayClose(_ code: CloseCode?, _ reason: String = "") {
        if phase == .webSocket { enqueue(Frame.close(code, reason: reason).bytes) }
    }

    private func answerPing(_ payload: [UInt8]) {
        guard phase == .webSocket else { return }
        guard pongCount < TransportOptions.pongLimit else {
            loop.counters.limits.add(.pongs)
            madeRare.owedPong = payload
            return
        }
        pongCount += 1
        enqueue(Frame.pong(payload).bytes)
    }

    /// The peer has sent its last byte. A request that came whole is still answered; a WebSocket is over.
    private func inputEnded() {
        flags.insert(.inputEnded)
        // The last bytes are still to be sent.
        if phase == .lingering, !flags.contains(.outputEnded) { return }
        guard phase == .request else { return end() }
        if exchange?.isWaiting == true, !hasUnread {
            if queuedBytes == 0 { end() } else { linger() }
        }
    }
}

private func isLetter(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
