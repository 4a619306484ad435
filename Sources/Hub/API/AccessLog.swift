import Logging
import Transport
import WebProtocols

/// A request on its way to its line in the access log: who asked, how and where, and what came of it.
///
/// Codes of rooms, names, ids and tokens may stand in any path, and in any query: so where it was asked is told by the
/// pattern of its route, or by the path of a file that there is. What is neither is `-`, as is a method that nobody
/// knows, and all of what was no request.
struct AccessEntry {
    private let logger: Logger
    /// Nil: there was none that could be read.
    private let head: RequestHead?
    private let client: String
    private let began: ContinuousClock.Instant

    /// Nil where no such line is wanted.
    init?(_ head: RequestHead?, from peer: Peer, since began: ContinuousClock.Instant = .now, _ logger: Logger?) {
        guard let logger, logger.logLevel <= .info else { return nil }
        (self.logger, self.head, self.began, client) = (logger, head, began, "\(peer.address)")
    }

    /// Of the body of this answer.
    func sends(_ response: HTTPResponse) -> Int {
        head?.method == "HEAD" || response.status == 304 ? 0 : response.body.count
    }

    /// `bytes`: of the body, as it was sent.
    func end(status: Int, bytes: Int) {
        let span = began.duration(to: .now).components
        let milliseconds = Int(span.seconds) * 1_000 + Int(span.attoseconds / 1_000_000_000_000_000)
        let method = head.map(\.method).flatMap { Route.Method.known.contains($0) ? $0 : nil }
        logger.info(
            "request",
            metadata: [
                "client": "\(client)", "method": "\(method ?? "-")",
                "path": "\(path(status))", "status": .stringConvertible(status), "bytes": .stringConvertible(bytes),
                "ms": .stringConvertible(milliseconds),
            ])
    }

    private func path(_ status: Int) -> String {
        guard let head else { return "-" }
        let parts = Route.parts(of: head.path)
        if let route = Route.all.first(where: { $0.parameter(in: parts) != nil }) { return route.path }
        // Only of a file, or of the echo, is any of these said.
        return [101, 200, 304, 405, 412].contains(status) ? head.path : "-"
    }
}
