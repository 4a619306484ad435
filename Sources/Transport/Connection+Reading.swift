// Works in the loop's shared buffers by pointer; nothing keeps them past a call.
import Cryptography
import WebProtocols

extension Connection {
    /// Epoll reports events.
    func ready(_ events: UInt32) {
        if events & Epoll.output != 0, flags.contains(.isBlocked) { sendQueued() }
        guard phase != .ended, phase != .moved else { return }
        if events & (Epoll.input | Epoll.broken) != 0 {
            // Input before the peer's end is read first. Closing with unread bytes would send the peer a reset.
            if wantsInput || phase == .lingering { return read() }
            // Nothing will be read for now, and epoll would report an error again and again.
            if events & Epoll.broken != 0 { return end() }
        }
        updateInterest()
    }

    /// Whether bytes of the peer could be used now.
    var wantsInput: Bool {
        guard flags.isDisjoint(with: [.inputEnded, .isThrottled]), !hasUnread else { return false }
        return canTake || phase == .handshake || phase == .lingering
    }

    /// Whether bytes that were read can be used: no request is being answered, and the peer reads its answers.
    var canTake: Bool {
        switch phase {
        case .request: exchange?.isWaiting == true && queuedBytes < loop.options.inputPauseBytes
        case .webSocket, .closing:
            !flags.contains(.isThrottled) && (queuedBytes < loop.options.inputPauseBytes || isQueuedFreely)
        case .handshake, .lingering, .moved, .ended: false
        }
    }

    /// Whether a message that starts with `first` may be taken in this turn. Compressed ones only may while the loop's
    /// share of the turn lasts.
    private func mayTake(_ first: UInt8) -> Bool {
        compression == nil || loop.inflater.inflatedBytes < loop.inflationEnd
            || decoder.isIdle && !FrameHeader.isCompressed(first)
    }

    /// Whether it could continue in this turn if it was resumed.
    var mayResume: Bool {
        guard canTake, let first = rare?.unread.first else { return true }
        return mayTake(first)
    }

    /// Tells epoll which events to watch for. Input is only removed after some arrived that could not be used, so that
    /// a request that is answered at once costs no system call.
    func updateInterest() {
        guard let socket, phase != .moved else { return }
        let wanted = (wantsInput ? Epoll.input : 0) | (flags.contains(.isBlocked) ? Epoll.output : 0)
        guard wanted != interest else { return }
        interest = wanted
        loop.epoll.change(socket.number, to: wanted, token: token)
    }

    /// Reads what the socket has, up to the loop's buffer.
    private func read() {
        guard let socket else { return }
        if phase == .handshake {
            // Left to the next turn, when epoll reports it again.
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
        // Many answers are sent while they are in the cache, which also makes room for those of others.
        if loop.pool.isTurnFull, flags.contains(.isDirty), !flags.contains(.isBlocked) { sendQueued() }
        if phase != .ended { updateInterest() }
    }

    /// Counts bytes that were read, or frames that cost as much work. Once two seconds' worth is exceeded, nothing more
    /// is read until one of the two seconds has passed.
    private func spend(_ count: Int) {
        guard !flags.contains(.isReadFreely), phase != .ended else { return }
        readRate.spend(count, perSecond: loop.options.bytesPerSecond, now: loop.now)
        guard readRate.isExceeded(now: loop.now) else { return }
        flags.insert(.isThrottled)
        loop.counters.limits.add(.bytesPerSecond)
        schedule()
    }

    /// Reads nothing for this long.
    private func pauseReading(for time: Milliseconds) {
        readRate.pause(until: loop.now + time)
        flags.insert(.isThrottled)
    }

    /// When a throttled connection is read again.
    var throttledUntil: Milliseconds {
        flags.contains(.isThrottled) ? readRate.freeAgain : .max
    }

    /// Takes bytes as they came from the socket.
    func receive(_ bytes: UnsafeMutableRawBufferPointer) {
        if let tls { decrypt(bytes, tls) } else { take(bytes) }
    }

    /// Decrypts the records and uses the result.
    private func decrypt(_ records: UnsafeMutableRawBufferPointer, _ tls: TLSSession) {
        if !flags.contains(.hasBegun), let first = records.first, isLetter(first) { return refusePlainHTTP() }
        flags.insert(.hasBegun)
        var plain = loop.buffers.plain.mutableBytes
        var answer = loop.buffers.encrypted.mutableBytes
        let outcome = tls.decrypt(UnsafeRawBufferPointer(records).bytes, into: &plain, encrypted: &answer)
        if outcome.encryptedBytes > 0 { sendEncrypted(outcome.encryptedBytes) }
        guard phase != .ended else { return }
        if outcome.state == .failed {
            // The alert, if there is one, is being sent. The rest cannot be read.
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

    // (Both are methods of their own because Swift 6.3.1 fails to optimise `decrypt` with them inside.)

    private func endHandshake(of tls: TLSSession) {
        if let exchange, let version = TLSVersion(rawValue: tls.version) {
            loop.handshakes.append(FinishedHandshake(kind: .tls(version), began: exchange.accepted))
        }
        startPhase(.request)
    }

    private func countFailure() {
        if phase == .handshake { loop.counters.failedTLSHandshakes.add() }
    }

    /// Passes decrypted bytes to the current phase, and keeps those that it cannot use yet.
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
        // A connection that is being upgraded takes the rest along.
        if offset < bytes.count, phase != .ended, phase != .lingering {
            madeRare.unread = Array(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
            resumeIfPossible()
        }
    }

    /// Continues with the unread bytes and with reading, later in this turn or in the next, if that is possible now.
    func resumeIfPossible() {
        guard canTake, hasUnread || interest & Epoll.input == 0, !flags.contains(.isResuming) else { return }
        flags.insert(.isResuming)
        loop.resuming.append(self)
    }

    /// Takes as many of the unread bytes as can be used.
    func resume() {
        flags.remove(.isResuming)
        guard canTake else { return }
        if hasUnread, let rare {
            var bytes = rare.unread
            rare.unread = []
            bytes.withUnsafeMutableBytes { take($0) }
            letGoOfRare()
        }
        // The bytes before the end of input are used, so the end can be handled now.
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
                case .inflated: loop.inflater.withMessage { service.received($0, kind: kind, on: self) }
                }
            case .ping(let payload): answerPing(payload)
            case .pong: break
            case .close(let code, _):
                // The reply has the peer's code (section 5.5.1).
                sayClose(code)
                return linger()
            }
        }
    }

    /// Sends this end's close frame, unless it has been sent.
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

    /// The peer has sent its last byte. A complete request is still answered; a WebSocket ends.
    private func inputEnded() {
        flags.insert(.inputEnded)
        // The last bytes must still be sent.
        if phase == .lingering, !flags.contains(.outputEnded) { return }
        guard phase == .request else { return end() }
        if exchange?.isWaiting == true, !hasUnread {
            if queuedBytes == 0 { end() } else { linger() }
        }
    }
}

private func isLetter(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") }
