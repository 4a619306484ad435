import Games
import WebProtocols

/// The sites whose pages may open WebSockets and change anything. Browsers name a page's site with each request (RFC
/// 6455 section 10.2). Other clients name none, and are not checked.
public enum AllowedOrigins: Equatable, Sendable {
    /// Pages of the host that the request addresses.
    case sameHost
    case listed([WebOrigin])
    case any
}

extension HubOptions {
    /// Throws if a page of another site asks. The address where people reach the hub always counts as its own site.
    func checkOrigin(of head: RequestHead) throws(RequestError) {
        guard let text = head.headers["Origin"], origins != .any else { return }
        // `null`, which pages without a site send, is not an origin.
        guard let origin = WebOrigin(text), origin == publicURL || origins.contains(origin, askedAt: head.authority)
        else { throw RequestError(403, .foreignOrigin) }
    }

    /// Names the page's site to its browser, which then lets the page read the answer (Fetch Standard, section 3.3.3).
    /// Any site may be named, since nothing here depends on cookies. Pages of the hub's own site need no header.
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

    /// The answer to a browser that asks before it lets another site's page send a token or JSON; nil for other
    /// requests.
    func preflight(_ head: RequestHead) -> HTTPResponse? {
        guard head.method == "OPTIONS", head.headers["Access-Control-Request-Method"] != nil, origins != .sameHost
        else { return nil }
        return HTTPResponse(
            status: 204,
            headers: [
                "Access-Control-Allow-Methods": "GET, POST, PUT, DELETE",
                "Access-Control-Allow-Headers": "Authorization, Content-Type, \(API.tokenField)",
                "Access-Control-Max-Age": "600", "Cache-Control": "no-store",
            ])
    }

    /// Throws if the request names a host that is not the hub's. Otherwise a site could point its own name here (DNS
    /// rebinding) and read all that the hub returns. Balancers ask for the hub's health by its address.
    func checkHost(of head: RequestHead) throws(RequestError) {
        guard !["/healthz", "/readyz"].contains(head.path) else { return }
        guard let asked = WebOrigin(scheme: "http", authority: head.authority)?.host,
            hostNames.contains(asked) || asked == publicURL?.host
        else { throw RequestError(421, .unknownHost) }
    }
}

extension AllowedOrigins {
    /// `authority` is the host that the request addresses.
    fileprivate func contains(_ origin: WebOrigin, askedAt authority: String) -> Bool {
        switch self {
        // A proxy may do TLS for the hub, so the scheme is the page's.
        case .sameHost: origin == WebOrigin(scheme: origin.scheme, authority: authority)
        case .listed(let listed): listed.contains(origin)
        case .any: true
        }
    }
}

extension Rejection {
    fileprivate static let foreignOrigin = Rejection(
        "foreign-origin", "The page is from a site that is not allowed here.")
    fileprivate static let unknownHost = Rejection("unknown-host", "Nothing is served under this host name.")
}
