import WebProtocols

/// The WebSockets of a loop: takes their frames, answers what the protocol itself answers, and passes messages to the
/// service (RFC 6455 section 5).
final class FrameReceiver {
    private let service: any LoopService
    private let counters: LoopCounters
    private let inflater: Inflater
    private var inflationEnd = TransportOptions.inflatedBytesPerTurn

    init(_ service: any LoopService, _ counters: LoopCounters, _ inflater: Inflater) {
        (self.service, self.counters, self.inflater) = (service, counters, inflater)
    }

    /// A turn starts, and with it the loop's share of decompressed bytes.
    func startTurn() { inflationEnd = inflater.inflatedBytes + TransportOptions.inflatedBytesPerTurn }

    /// Whether a frame that starts with `first` may be taken in this turn. Compressed ones only may while the loop's
    /// share of the turn lasts.
    func mayTakeFrame(startingWith first: UInt8, of connection: Connection) -> Bool {
        connection.compression == nil || inflater.inflatedBytes < inflationEnd
            || connection.decoder.isIdle && !FrameHeader.isCompressed(first)
    }

    /// Takes the connection's share of the frames in `bytes`.
    func takeFrames(_ bytes: inout MutableRawSpan, _ offset: inout Int, on connection: Connection) {
        let inflater = connection.compression == nil ? nil : inflater
        var (share, messages) = (TransportOptions.framesAtOnce, 0)
        defer {
            counters.receivedMessages.add(messages)
            connection.limitReading((TransportOptions.framesAtOnce - share) * TransportOptions.frameBytes)
        }
        while offset < bytes.byteCount, share > 0, connection.canUseInput,
            mayTakeFrame(startingWith: bytes.bytes.byte(at: offset), of: connection)
        {
            let incoming: Incoming?
            do throws(FrameViolation) {
                incoming = try connection.decoder.next(
                    &bytes, at: &offset, inflater: inflater, share: &share
                ) { message, kind in
                    messages += 1
                    if connection.phase == .webSocket { service.messageArrived(message, kind: kind, on: connection) }
                    return connection.canUseInput && (inflater == nil || self.inflater.inflatedBytes < inflationEnd)
                }
            } catch {
                return refuse(error, on: connection)
            }
            switch incoming {
            case nil, .message, .pong: break
            case .ping(let payload): answerPing(payload, on: connection)
            case .close(let code, _):
                // The reply has the peer's code (section 5.5.1).
                sendClose(code, on: connection)
                return connection.linger()
            }
        }
    }

    private func refuse(_ violation: FrameViolation, on connection: Connection) {
        if violation.closeCode == .messageTooBig { counters.limits.add(.messageSize) }
        sendClose(violation.closeCode, violation.sentence, on: connection)
        connection.readRate.pause(until: connection.loop.now + TransportOptions.violationPause)
        connection.isThrottled = true
        connection.linger()
    }

    /// Sends this end's close frame, unless it has been sent.
    private func sendClose(_ code: CloseCode?, _ reason: String = "", on connection: Connection) {
        if connection.phase == .webSocket { connection.enqueue(Frame.close(code, reason: reason).bytes) }
    }

    private func answerPing(_ payload: [UInt8], on connection: Connection) {
        guard connection.phase == .webSocket else { return }
        guard connection.pongCount < TransportOptions.pongLimit else {
            counters.limits.add(.pongs)
            connection.madeRare.owedPong = payload
            return
        }
        connection.pongCount += 1
        connection.enqueue(Frame.pong(payload).bytes)
    }

    /// All that was queued has been sent. Queues the answer to the newest ping that had to wait, and returns whether
    /// there was one.
    func queueOwedPong(of connection: Connection) -> Bool {
        if let rare = connection.rare, let payload = rare.owedPong, connection.phase == .webSocket {
            rare.owedPong = nil
            connection.freeRareIfUsedUp()
            connection.stream.enqueue(Frame.pong(payload).bytes, on: connection.loop)
            return true
        }
        connection.pongCount = 0
        return false
    }
}
