import Games
import WebProtocols

/// Whose pages may open WebSockets: a browser says of each where its page comes from (RFC 6455 section 10.2). Other
/// clients say nothing, and go on.
public enum AllowedOrigins: Equatable, Sendable {
    /// Pages of the host that the request is made to.
    case sameHost
    case listed([WebOrigin])
    case any
}

extension HubOptions {
    /// Throws where a page asks from elsewhere. Where people reach the hub is never elsewhere.
    func checkOrigin(of head: RequestHead) throws(RequestError) {
        guard let text = head.headers["Origin"], origins != .any else { return }
        // `null`, as pages without a site have it, is none.
        guard let origin = WebOrigin(text), origin == publicURL || origins.contains(origin, askedAt: head.authority)
        else { throw RequestError(403, .foreignOrigin) }
    }

    /// Throws where the hub is asked by a name that is not its own: a site that has its own name lead here (DNS
    /// rebinding) would otherwise read whatever the hub tells. Balancers ask for its health by address.
    func checkHost(of head: RequestHead) throws(RequestError) {
        guard !["/healthz", "/readyz"].contains(head.path) else { return }
        guard let asked = WebOrigin(scheme: "http", authority: head.authority)?.host,
            hostNames.contains(asked) || asked == publicURL?.host
        else { throw RequestError(421, .unknownHost) }
    }
}

extension AllowedOrigins {
    /// `authority`: what the request was made to.
    fileprivate func contains(_ origin: WebOrigin, askedAt authority: String) -> Bool {
        switch self {
        // A proxy may speak TLS for the hub: the scheme is the page's.
        case .sameHost: origin == WebOrigin(scheme: origin.scheme, authority: authority)
        case .listed(let listed): listed.contains(origin)
        case .any: true
        }
    }
}

extension Rejection {
    fileprivate static let foreignOrigin = Rejection(
        "foreign-origin", "The page is from another site, which is not allowed to open WebSockets here.")
    fileprivate static let unknownHost = Rejection(
        "unknown-host", "Nothing is served under this host name.")
}
