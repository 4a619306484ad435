import Games
import WebProtocols

/// Whose pages may open WebSockets and change anything: a browser says of each request where its page comes from (RFC
/// 6455 section 10.2). Other clients say nothing, and go on.
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

    /// Names the page's site to its browser, which then lets the page read the answer (Fetch Standard, section 3.3.3):
    /// any site may be named, since nothing here goes by cookies. Nothing for pages of the hub's own site.
    func admitSite(of head: RequestHead, to headers: inout HeaderFields) {
        switch origins {
        case .sameHost: return
        case .any: headers.set("Access-Control-Allow-Origin", "*")
        case .listed(let listed):
            headers.add("Origin", toList: "Vary")
            guard let text = head.headers["Origin"], let origin = WebOrigin(text), listed.contains(origin) else {
                return
            }
            headers.set("Access-Control-Allow-Origin", text)
        }
        headers.set("Access-Control-Expose-Headers", "\(API.logField), Retry-After")
    }

    /// What a browser asks before it lets a page of another site send a token or JSON; nil if this is something else.
    func preflight(_ head: RequestHead) -> HTTPResponse? {
        guard head.method == "OPTIONS", head.headers["Access-Control-Request-Method"] != nil, origins != .sameHost
        else {
            return nil
        }
        return HTTPResponse(
            status: 204,
            headers: [
                "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
                "Access-Control-Allow-Headers": "Authorization, Content-Type, \(API.tokenField)",
                "Access-Control-Max-Age": "600", "Cache-Control": "no-store",
            ])
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
        "foreign-origin", "The page is from a site that is not allowed here.")
    fileprivate static let unknownHost = Rejection(
        "unknown-host", "Nothing is served under this host name.")
}
