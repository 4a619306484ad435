import WebProtocols

extension CloseCode {
    /// The peer has been silent for too long (IANA registry).
    static let timeout = CloseCode(rawValue: 3008)
}

extension Connection {
    /// Sends what is queued and nothing more. The peer then has `lingerTime` to read it and close. If this side closed
    /// at once, the kernel would answer further bytes of the peer with a reset, which may destroy the last bytes sent.
    func linger() {
        guard phase != .ended, phase != .moved, phase != .lingering else { return }
        rare?.unread = []
        rare?.owedPong = nil
        reportEnd()
        startPhase(.lingering)
        // Further input is read and dropped.
        updateInterest()
        markDirty()
    }

    func cut() {
        guard phase != .ended, phase != .moved else { return }
        phase = .ended
        releaseAll()
        reportEnd()
    }

    /// Ends the connection at once, since it exceeds a limit.
    func cut(for limit: TransportLimit) {
        loop.counters.limits.add(limit)
        cut()
    }

    /// Frees everything, since the service may keep the object for longer.
    func releaseAll() {
        stream.close(on: loop)
        (rare, exchange) = (nil, nil)
        loop.release(token)
    }

    private func reportEnd() {
        guard isKnown else { return }
        isKnown = false
        loop.work.gone.append(self)
    }

    func shutDown() {
        switch phase {
        case .handshake: cut()
        // The current request is still answered.
        case .request: if exchange?.isWaiting == true { endSilently() } else { exchange?.keepsAlive = false }
        case .webSocket: close(.serviceRestart, "The server is restarting.")
        case .closing, .lingering, .moved, .ended: break
        }
    }

    var deadline: Milliseconds { min(loop.times.phaseEnd(of: self), throttledUntil) }

    private var throttledUntil: Milliseconds { isThrottled ? readRate.freeAgain : .max }

    var nextPing: Milliseconds {
        stream.wasPinged ? loop.times.silenceLook(from: loop.now + loop.times.ping(of: token)) : .max
    }

    func timedOut() {
        if throttledUntil <= loop.now {
            isThrottled = false
            updateInterest()
            loop.resumeIfPossible(self)
        }
        guard loop.times.phaseEnd(of: self) <= loop.now else { return schedule() }
        switch phase {
        case .handshake: cut(for: .handshakeTime)
        case .request: if let exchange, !stream.isBlocked { exchange.timedOut(on: self) } else { cut(for: .silence) }
        case .webSocket:
            if loop.now - stream.lastHeard >= loop.times.silence {
                loop.counters.limits.add(.silence)
                enqueue(Frame.close(.timeout, reason: "Nothing arrived for too long.").bytes)
                linger()
            } else {
                stream.wasPinged = true
                enqueue(Connection.ping)
                schedule()
            }
        case .closing, .lingering: cut()
        case .moved, .ended: break
        }
    }

    private static let ping = Frame.ping().bytes
}
