import Cryptography

extension Connection {
    func handleEvents(_ events: UInt32) {
        if events & Epoll.output != 0, stream.isBlocked { sendQueued() }
        guard phase != .ended, phase != .moved else { return }
        if events & (Epoll.input | Epoll.broken) != 0 {
            // Input before the peer's end is read first. Closing with unread bytes would send the peer a reset.
            if wantsInput || phase == .lingering { return readInput() }
            // Nothing will be read for now, and epoll would report an error again and again.
            if events & Epoll.broken != 0 { return cut() }
        }
        updateInterest()
    }

    /// Whether bytes of the peer could be used now.
    private var wantsInput: Bool {
        !stream.inputEnded && !isThrottled && !hasUnread
            && (canUseInput || phase == .handshake || phase == .lingering)
    }

    /// Whether bytes that were read can be used: no request is being answered, and the peer reads its answers.
    var canUseInput: Bool {
        switch phase {
        case .request: exchange?.isWaiting == true && queuedBytes < loop.options.inputPauseBytes
        case .webSocket, .closing: !isThrottled && (queuedBytes < loop.options.inputPauseBytes || isQueuedFreely)
        case .handshake, .lingering, .moved, .ended: false
        }
    }

    /// Tells epoll which events to watch for. Input is only removed after some arrived that could not be used, so that
    /// a request that is answered at once costs no system call.
    func updateInterest() { if phase != .moved { stream.watch(forInput: wantsInput, token: token, on: loop) } }

    private func readInput() {
        if phase == .handshake {
            // Left to the next turn, when epoll reports it again.
            guard loop.handshakesLeft > 0 else { return }
            loop.handshakesLeft -= 1
        }
        readSocket()
        // Many answers are sent while they are in the cache, which also makes room for those of others.
        if loop.pool.isTurnFull, stream.isDirty, !stream.isBlocked { sendQueued() }
        updateInterest()
    }

    func takeInput(_ bytes: inout MutableRawSpan) {
        loop.counters.receivedBytes.add(bytes.byteCount)
        limitReading(bytes.byteCount)
        guard let exchange else { return decryptInput(&bytes) }
        exchange.takeInput(&bytes, on: self)
    }

    /// Counts bytes that were read, or frames that cost as much work. Once two seconds' worth is exceeded, nothing more
    /// is read until one of the two seconds has passed.
    func limitReading(_ count: Int) {
        guard !isReadFreely, phase != .ended else { return }
        readRate.spend(count, perSecond: loop.options.bytesPerSecond, now: loop.now)
        guard readRate.isExceeded(now: loop.now) else { return }
        isThrottled = true
        loop.counters.limits.add(.bytesPerSecond)
        schedule()
    }

    func handshakeEnded(of tls: TLSSession) {
        exchange?.recordHandshake(of: tls, on: loop)
        startPhase(.request)
    }

    /// The rest cannot be read.
    func tlsFailed(_ tls: TLSSession) {
        stream.inputEnded = true
        if phase == .handshake { loop.counters.failedTLSHandshakes.add() }
        linger()
    }

    /// Passes decrypted bytes to the current phase, and keeps those that it cannot use yet.
    func takePlaintext(_ bytes: inout MutableRawSpan) {
        var offset = 0
        if phase == .request { exchange?.takeRequests(bytes.bytes, &offset, on: self) }
        if phase == .webSocket || phase == .closing { loop.frames.takeFrames(&bytes, &offset, on: self) }
        if phase == .lingering {
            madeRare.lingerBytes += bytes.byteCount
            if madeRare.lingerBytes > TransportOptions.lingerBytes { cut(for: .lingerSize) }
        }
        // A connection that is being upgraded takes the rest along.
        if offset < bytes.byteCount, phase != .ended, phase != .lingering {
            madeRare.unread = []
            madeRare.unread.append(bytes.bytes.extracting(offset..<bytes.byteCount))
            loop.resumeIfPossible(self)
        }
    }

    /// Uses as many of the unread bytes as can be used now.
    func useUnread() {
        if hasUnread, let rare {
            var unread = rare.unread
            rare.unread = []
            var span = unread.mutableSpan
            var bytes = span.mutableBytes
            takePlaintext(&bytes)
            freeRareIfUsedUp()
        }
        // The bytes before the end of input are used, so the end can be handled now.
        if stream.inputEnded, !hasUnread { inputEnded() }
        updateInterest()
    }

    /// A complete request is still answered; a WebSocket ends.
    func inputEnded() {
        guard phase != .ended else { return }
        stream.inputEnded = true
        // The last bytes must still be sent.
        if phase == .lingering, !stream.outputEnded { return }
        guard phase == .request else { return cut() }
        if exchange?.isWaiting == true, !hasUnread { endSilently() }
    }

    /// Ends between two requests, once the last answer is sent.
    func endSilently() { if queuedBytes == 0 { cut() } else { linger() } }
}
