import Cryptography
import Glibc
import WebProtocols

extension ClientConnection {
    // MARK: Connecting

    func startConnecting() {
        schedule()
        if let known = endpoint.addresses { connect(to: known) } else { loop.clients.lookUpAddresses(for: self) }
    }

    func connect(to addresses: [SocketAddress]) {
        attempts = ConnectAttempts(to: addresses, of: endpoint.host)
        tryNextAddress()
    }

    private func tryNextAddress() {
        do throws(ClientError) {
            stream.replaceSocket(by: try attempts.startNext(limits))
            guard stream.register(for: Epoll.output, token: token, with: loop.epoll) else {
                throw .exhausted(reason: ClientError.system(errno))
            }
            phase = .connecting
        } catch { fail(error) }
    }

    /// Epoll reports that the attempt succeeded or failed.
    private func attemptEnded() {
        let code = SocketCalls.connectionError(of: stream.number)
        guard code == 0 else {
            attempts.recordFailure(code)
            return tryNextAddress()
        }
        attempts = ConnectAttempts()
        stream.lastHeard = loop.now
        guard let context = endpoint.tls else {
            stream.isConnecting = false
            return startHTTP()
        }
        guard let session = TLSSession(context, name: endpoint.host) else {
            return fail(.exhausted(reason: "OpenSSL has no memory left"))
        }
        stream.tls = session
        phase = .handshake
        updateInterest()
        // A client speaks first, so decrypting nothing produces its hello.
        decrypt([UInt8]().span.bytes, with: session)
    }

    private func startHTTP() {
        startPhase(.http)
        updateInterest()
        if queuedBytes > 0 { markDirty() }
        delegate?.clientConnected(self)
    }

    // MARK: Reading

    func handleEvents(_ events: UInt32) {
        guard phase != .connecting else { return attemptEnded() }
        if events & Epoll.output != 0, stream.isBlocked { sendQueued() }
        guard phase != .ended else { return }
        if events & (Epoll.input | Epoll.broken) != 0 {
            if wantsInput { return readSocket() }
            // Nothing will be read for now, and epoll would report an error again and again.
            if events & Epoll.broken != 0 { return fail(.ended) }
        }
        updateInterest()
    }

    private var wantsInput: Bool { !isPaused && !stream.inputEnded }
    func updateInterest() { stream.watch(forInput: wantsInput, token: token, on: loop) }

    func takeInput(_ bytes: inout MutableRawSpan) {
        loop.clients.receivedBytes += bytes.byteCount
        decryptInput(&bytes)
    }

    func handshakeEnded(of tls: TLSSession) { startHTTP() }

    /// The alert has told the server why. Whether it arrives does not matter.
    func tlsFailed(_ tls: TLSSession) {
        if let reason = tls.distrust { return fail(.untrusted(host: endpoint.host, reason: reason)) }
        fail(.tls(reason: tls.failure))
    }

    func cut() { fail(.ended) }

    func takePlaintext(_ bytes: inout MutableRawSpan) {
        var offset = 0
        if phase == .http { takeResponses(bytes.bytes, &offset) }
        if isWebSocket { takeFrames(&bytes, &offset) }
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
                useAnswer(answer, keepsAlive: decoder.keepsAlive)
            } catch { fail(.badResponse(error)) }
        }
    }

    private func useAnswer(_ answer: HTTPResponse, keepsAlive: Bool) {
        guard let handshake = opening else {
            guard answer.status != 101 else { return fail(.unasked) }
            if keepsAlive { schedule() } else { stream.inputEnded = true }
            delegate?.responseArrived(answer, to: self)
            // Requests made since then will not be answered.
            if !keepsAlive { finish(.failed(.ended)) }
            return
        }
        opening = nil
        do throws(ClientHandshakeError) {
            let subprotocol = try handshake.check(answer)
            phase = .webSocket
            schedule()
            delegate?.clientUpgraded(self, subprotocol: subprotocol)
        } catch { fail(.noWebSocket(error)) }
    }

    /// Messages and control frames (RFC 6455 section 5).
    private func takeFrames(_ bytes: inout MutableRawSpan, _ offset: inout Int) {
        var share = Int.max
        while isWebSocket, offset < bytes.byteCount {
            let incoming: Incoming?
            do throws(FrameViolation) {
                incoming = try decoder.next(&bytes, at: &offset, inflater: nil, share: &share) { message, kind in
                    if isOpen { delegate?.messageArrived(message, kind: kind, on: self) }
                    return isWebSocket
                }
            } catch {
                if isOpen { sendControl(.close(error.closeCode, reason: error.sentence)) }
                sendQueued()
                return fail(.badFrame(error))
            }
            switch incoming {
            case nil, .message, .pong: break
            case .ping(let payload): if isOpen { sendControl(.pong(payload)) }
            case .close(let code, let reason):
                serverClose = .closed(code, reason: reason)
                // The reply has the server's code (section 5.5.1).
                startClosing(.close(code))
            }
        }
    }

    func inputEnded() {
        guard phase != .ended else { return }
        stream.inputEnded = true
        if phase == .http, var decoder = response {
            response = nil
            do throws(ResponseViolation) {
                if let answer = try decoder.connectionEnded() { useAnswer(answer, keepsAlive: false) }
            } catch { fail(.badResponse(error)) }
        }
        finish(serverClose ?? .failed(.ended))
    }
}

extension ClientConnection: StreamConnection {
    func joinDirty() { loop.work.clients.dirty.append(self) }
    func countSent(_ count: Int) { loop.clients.sentBytes += count }

    func queueSent(wasBlocked: Bool) {
        guard wasBlocked else { return }
        updateInterest()
        loop.work.clients.drained.append(self)
    }

    func queueBlocked() {}

    var deadline: Milliseconds {
        switch phase {
        case .lookingUp, .connecting, .handshake: return phaseBegan + limits.connectTime.milliseconds
        case .http: return response == nil ? .max : phaseBegan + limits.answerTime.milliseconds
        case .webSocket:
            let silence = limits.silenceLimit.milliseconds
            // A client that reads nothing hears nothing.
            guard !isPaused else { return .max }
            return stream.lastHeard + (stream.wasPinged ? silence : min(limits.pingInterval.milliseconds, silence))
        case .closing: return phaseBegan + limits.closeTime.milliseconds
        case .ended: return .max
        }
    }

    var nextPing: Milliseconds { stream.wasPinged ? loop.now + limits.pingInterval.milliseconds : .max }

    func timedOut() {
        switch phase {
        case .lookingUp, .connecting, .handshake: fail(.timedOut(.connecting))
        case .http: fail(.timedOut(.answer))
        case .webSocket:
            if loop.now - stream.lastHeard >= limits.silenceLimit.milliseconds {
                fail(.silent(limits.silenceLimit))
            } else {
                stream.wasPinged = true
                sendControl(.ping())
                schedule()
            }
        case .closing: finish(serverClose ?? .failed(.timedOut(.closing)))
        case .ended: break
        }
    }
}
