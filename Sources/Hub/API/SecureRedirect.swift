import Games
import WebProtocols

extension HubOptions {
    /// Redirects a request in plain HTTP to TLS: to the public URL's host if that is https, else to the request's own
    /// host on `port`. 308 keeps the method (RFC 9110 section 15.4.9).
    func redirect(_ head: RequestHead, toPort port: Int) throws(RequestError) -> HTTPResponse {
        guard let origin = secureURL ?? WebOrigin(head, port: port) else {
            throw RequestError(400, Rejection("bad-host", "The Host header of the request names no host."))
        }
        return HTTPResponse(status: 308, headers: ["Location": origin.description + head.pathAndQuery])
    }

    private var secureURL: WebOrigin? { publicURL.flatMap { $0.scheme == "https" ? $0 : nil } }
}

extension WebOrigin {
    /// The host of the request over TLS on `port`; nil if the request names no host.
    fileprivate init?(_ head: RequestHead, port: Int) {
        guard let asked = WebOrigin(scheme: "https", authority: head.authority) else { return nil }
        self.init(scheme: "https", authority: "\(asked.host):\(port)")
    }
}

extension RequestHead {
    /// The target as sent, without scheme and authority; a slash for `*`.
    fileprivate var pathAndQuery: String {
        if target.hasPrefix("/") { return target }
        guard let mark = target.firstRange(of: "://") else { return "/" }
        let rest = target[mark.upperBound...]
        let tail = rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...]
        return tail.hasPrefix("/") ? String(tail) : "/" + tail
    }
}
