// Passes bytes on by pointer, for the length of a call.
import WebProtocols

// What a trusted proxy says about its client, before anything else or with each request.
extension Connection {
    /// Reads the first bytes, which may be a PROXY header. Without one they belong to the current phase.
    func readProxyHeader(_ bytes: UnsafeMutableRawBufferPointer) {
        guard let exchange, var first = exchange.proxyHeaderBytes else { return }
        first += bytes
        do throws(ProxyHeaderViolation) {
            switch try ProxyHeader.read(first.span.bytes, limit: loop.options.httpLimits.headBytes) {
            case .partial: return exchange.proxyHeaderBytes = first
            case .absent: break
            case .whole(let header):
                first.removeFirst(header.byteCount)
                if let client = header.client { adopt(client, exchange) }
            }
        } catch {
            loop.service.refused(error, from: peer)
            return end()
        }
        exchange.proxyHeaderBytes = nil
        guard phase != .ended, !first.isEmpty else { return }
        first.withUnsafeMutableBytes { receive($0) }
    }

    /// The connection belongs to `client`. If that is another proxy, its requests name their clients.
    private func adopt(_ client: IPAddress, _ exchange: Exchange) {
        let isProxy = loop.options.trustedProxies.contains(client)
        peer = Peer(address: client, isTLS: peer.isTLS, isLimited: !isProxy, door: peer.door)
        if isProxy { return exchange.proxy = peer }
        exchange.proxy = nil
        var answer = loop.shared.admission.enter(clientOfProxy: peer)
        if let exceeded = answer.refusal { loop.count(exceeded, of: peer) }
        guard let place = answer.place.take() else { return end() }
        madeRare.place = Admission.ClientPlace(place)
        exchange.refusal = exchange.refusal ?? answer.refusal
    }

    /// From an upgrade on, a proxy's connection counts for one client. Returns the limit that refuses it, or nil.
    func countClient() -> Admission.Refusal? {
        guard phase == .request, exchange?.proxy != nil, peer.isLimited else { return nil }
        var answer = loop.shared.admission.enter(clientOfProxy: peer)
        if let exceeded = answer.refusal {
            loop.count(exceeded, of: peer)
        } else if let place = answer.place.take() {
            madeRare.place = Admission.ClientPlace(place)
        }
        return answer.refusal
    }
}
