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
        report()
        startPhase(.lingering)
        // Further input is read and dropped.
        updateInterest()
        markDirty()
    }

    /// Cuts the connection.
    func end() {
        guard phase != .ended, phase != .moved else { return }
        phase = .ended
        // Only this connection has the socket, so it is closed now, which also removes it from epoll.
        release()
        report()
    }

    /// Frees everything, since the service may keep the object for longer.
    private func release() {
        loop.pool.removeAll(from: queue)
        (queue, rare) = (SendQueue(), nil)
        (socket, tls, exchange) = (nil, nil, nil)
        loop.release(token)
    }

    /// Frees the partial message, once no further one is accepted.
    func forgetMessages() { decoder = MessageDecoder(limits: MessageLimits()) }

    /// Makes the service's last call due at the turn's end.
    private func report() {
        guard flags.contains(.isKnown) else { return }
        flags.remove(.isKnown)
        loop.gone.append(self)
    }

    /// Becomes a WebSocket on its own loop.
    func stay(for upgrade: Upgrade) {
        exchange = nil
        decoder = MessageDecoder(limits: upgrade.limits)
    }

    /// Leaves the loop with all its state; nil if it has ended.
    func depart(for upgrade: Upgrade) -> Arrival? {
        guard let socket else { return nil }
        loop.epoll.remove(socket.number)
        let arrival = Arrival(
            socket: socket, peer: peer, place: rare?.place, tls: tls,
            encrypted: rare.map { Array($0.encrypted.suffix($0.unsentRecordBytes)) } ?? [],
            unsent: loop.pool.joined(queue), unread: rare?.unread ?? [], upgrade: upgrade)
        release()
        return arrival
    }

    /// Takes over its state from the loop that it has left.
    func arrive(with arrival: Arrival) {
        queue = loop.pool.append(arrival.unsent, to: queue)
        if arrival.encrypted.isEmpty, arrival.unread.isEmpty, arrival.place == nil { return }
        madeRare.encrypted = arrival.encrypted
        madeRare.unsentRecordBytes = arrival.encrypted.count
        madeRare.unread = arrival.unread
        madeRare.place = arrival.place
    }

    /// The server shuts down.
    func stop() {
        switch phase {
        case .handshake: end()
        case .request:
            guard let exchange else { return }
            // The current request is still answered.
            guard exchange.isWaiting else { return exchange.keepsAlive = false }
            if queuedBytes == 0 { end() } else { linger() }
        case .webSocket: close(.serviceRestart, "The server is restarting.")
        case .closing, .lingering, .moved, .ended: break
        }
    }
}

extension Connection: TimedConnection {
    var deadline: Milliseconds { min(phaseDeadline, throttledUntil) }

    private var phaseDeadline: Milliseconds {
        let times = loop.times
        switch phase {
        case .handshake: return phaseBegan + times.handshake
        case .request:
            if flags.contains(.isBlocked) { return lastHeard + times.silence }
            guard let exchange, exchange.isWaiting else { return .max }
            let isBetween = exchange.hasAnswered && exchange.decoder.isIdle
            return phaseBegan + (isBetween ? times.keepAlive : times.head)
        case .webSocket:
            let silence = flags.contains(.wasPinged) ? times.silence : min(times.ping(of: token), times.silence)
            return times.silenceLook(from: lastHeard + silence)
        case .closing: return phaseBegan + times.close
        case .lingering:
            if flags.contains(.outputEnded) { return phaseBegan + times.linger }
            return exchange == nil ? phaseBegan + times.close : lastHeard + times.silence
        case .moved, .ended: return .max
        }
    }

    var nextPing: Milliseconds {
        guard flags.contains(.wasPinged) else { return .max }
        return loop.times.silenceLook(from: loop.now + loop.times.ping(of: token))
    }

    func timedOut() {
        if throttledUntil <= loop.now {
            flags.remove(.isThrottled)
            updateInterest()
            resumeIfPossible()
        }
        guard phaseDeadline <= loop.now else { return schedule() }
        switch phase {
        case .handshake:
            loop.counters.limits.add(.handshakeTime)
            end()
        case .closing, .lingering: end()
        case .request: requestTimedOut()
        case .webSocket:
            if loop.now - lastHeard >= loop.times.silence {
                loop.counters.limits.add(.silence)
                enqueue(Frame.close(.timeout, reason: "Nothing arrived for too long.").bytes)
                linger()
            } else {
                flags.insert(.wasPinged)
                enqueue(Connection.ping)
                schedule()
            }
        case .moved, .ended: break
        }
    }

    private static let ping = Frame.ping().bytes

    private func requestTimedOut() {
        guard let exchange, !flags.contains(.isBlocked) else {
            loop.counters.limits.add(.silence)
            return end()
        }
        // Silence between two requests breaks no limit.
        if !exchange.decoder.isIdle || !exchange.hasAnswered { loop.counters.limits.add(.headTime) }
        guard !exchange.decoder.isIdle else { return end() }
        refuse(.problem(status: 408, code: "request-timeout", sentence: "The request took too long to arrive."))
    }
}
