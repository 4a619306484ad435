// Works in the loop's shared buffers by pointer; nothing keeps them past a call.
import Cryptography
import WebProtocols

extension ClientConnection {
    /// Epoll reports events.
    func ready(_ events: UInt32) {
        guard phase != .connecting else { return connectionTried() }
        if events & Epoll.output != 0, isBlocked { flush() }
        guard phase != .ended else { return }
        if events & (Epoll.input | Epoll.broken) != 0 {
            if !isPaused, !inputEnded { return read() }
            // Nothing will be read for now, and epoll would report an error again and again.
            if events & Epoll.broken != 0 { return fail(.ended) }
        }
        updateInterest()
    }

    /// Tells epoll which events to watch for.
    func updateInterest() {
        guard let socket else { return }
        let wanted = (isPaused || inputEnded ? 0 : Epoll.input) | (isBlocked ? Epoll.output : 0)
        guard wanted != interest else { return }
        interest = wanted
        loop.epoll.change(socket.number, to: wanted, token: token)
    }

    /// Reads what the socket has, up to the loop's buffer.
    private func read() {
        guard let socket else { return }
        switch socket.receive(into: loop.buffers.input) {
        case .nothing: return
        case .failed: return fail(.ended)
        case .ended: return serverEnded()
        case .bytes(let count):
            lastHeard = loop.now
            wasPinged = false
            loop.clients.receivedBytes += count
            let bytes = UnsafeMutableRawBufferPointer(rebasing: loop.buffers.input[..<count])
            if let tls { decrypt(bytes, tls) } else { take(bytes) }
        }
    }

    /// Decrypts the records and uses the result.
    func decrypt(_ records: UnsafeMutableRawBufferPointer, _ tls: TLSSession) {
        let outcome = open(records, tls)
        if outcome.state == .failed { return handshakeFailed(tls, alertBytes: outcome.encryptedBytes) }
        if outcome.encryptedBytes > 0 { sendEncrypted(outcome.encryptedBytes) }
        if phase == .handshake, tls.isEstablished { connected() }
        guard phase != .ended else { return }
        if outcome.plainBytes > 0 {
            take(UnsafeMutableRawBufferPointer(rebasing: loop.buffers.plain[..<outcome.plainBytes]))
        }
        if outcome.state == .ended { serverEnded() }
    }

    /// The plaintext of `records`, in the loop's buffers. (A method of its own because Swift 6.3.1 fails to optimise
    /// `decrypt` with it inside.)
    private func open(_ records: UnsafeMutableRawBufferPointer, _ tls: TLSSession) -> TLSSession.Outcome {
        var plain = loop.buffers.plain.mutableBytes
        var answer = loop.buffers.encrypted.mutableBytes
        return tls.decrypt(UnsafeRawBufferPointer(records).bytes, into: &plain, encrypted: &answer)
    }

    /// Asks for the failure first, since OpenSSL only knows that of its last call.
    private func handshakeFailed(_ tls: TLSSession, alertBytes: Int) {
        let failure = tls.failure
        // The alert tells the server why. Whether it arrives does not matter.
        _ = socket?.send(UnsafeRawBufferPointer(rebasing: loop.buffers.encrypted[..<alertBytes]))
        if let reason = tls.distrust { return fail(.untrusted(host: endpoint.host, reason: reason)) }
        fail(.tls(reason: failure))
    }

    /// Passes decrypted bytes to the current phase.
    private func take(_ bytes: UnsafeMutableRawBufferPointer) {
        var span = bytes.mutableBytes
        var offset = 0
        if phase == .http { takeResponses(span.bytes, &offset) }
        if isWebSocket { takeFrames(&span, &offset) }
    }

    private func takeResponses(_ bytes: RawSpan, _ offset: inout Int) {
        while phase == .http, offset < bytes.byteCount {
            guard var decoder = response else { return fail(.unasked) }
            // Only one owner, since a second would have the body copied with each part that arrives.
            response = nil
            do throws(ResponseViolation) {
                guard let answer = try decoder.next(bytes, at: &offset) else {
                    response = decoder
                    return
                }
                take(answer, keepsAlive: decoder.keepsAlive)
            } catch { fail(.badResponse(error)) }
        }
    }

    private func take(_ answer: HTTPResponse, keepsAlive: Bool) {
        guard let handshake = opening else {
            guard answer.status != 101 else { return fail(.unasked) }
            if keepsAlive { schedule() } else { inputEnded = true }
            delegate?.answered(answer, to: self)
            // Requests made since then will not be answered.
            if !keepsAlive { finish(.failed(.ended)) }
            return
        }
        opening = nil
        do throws(ClientHandshakeError) {
            let subprotocol = try handshake.check(answer)
            phase = .webSocket
            schedule()
            delegate?.upgraded(self, subprotocol: subprotocol)
        } catch { fail(.noWebSocket(error)) }
    }

    /// Messages and control frames (RFC 6455 section 5).
    private func takeFrames(_ bytes: inout MutableRawSpan, _ offset: inout Int) {
        while isWebSocket, offset < bytes.byteCount {
            let incoming: Incoming?
            do throws(FrameViolation) {
                incoming = try decoder.next(&bytes, at: &offset)
            } catch {
                if isOpen { sendControl(.close(error.closeCode, reason: error.sentence)) }
                flush()
                return fail(.badFrame(error))
            }
            switch incoming {
            case nil: return
            case .message(let kind, let payload):
                guard isOpen else { continue }
                switch payload {
                case .inPlace(let range): delegate?.received(bytes.bytes.extracting(range), kind: kind, on: self)
                case .assembled(let message): delegate?.received(message.span.bytes, kind: kind, on: self)
                case .inflated: preconditionFailure("no one has offered to compress")
                }
            case .ping(let payload): if isOpen { sendControl(.pong(payload)) }
            case .pong: break
            case .close(let code, let reason):
                serverClose = .closed(code, reason: reason)
                // The reply has the server's code (section 5.5.1).
                startClosing(.close(code))
            }
        }
    }

    /// The server has sent its last byte.
    private func serverEnded() {
        guard phase != .ended else { return }
        inputEnded = true
        if phase == .http, var decoder = response {
            response = nil
            do throws(ResponseViolation) {
                if let answer = try decoder.end() { take(answer, keepsAlive: false) }
            } catch { fail(.badResponse(error)) }
        }
        finish(serverClose ?? .failed(.ended))
    }
}
