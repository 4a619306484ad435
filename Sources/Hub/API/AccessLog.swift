import Logging
import Transport
import WebProtocols

/// A request until its line is written to the access log.
///
/// Any path or query may hold codes of rooms, names, ids or tokens. So the log has the pattern of the request's route,
/// or the path of an existing file, else `-`. An unknown method is also `-`, as is all of a request that could not be
/// read.
struct AccessEntry {
    private let logger: Logger
    /// Nil if the request could not be read.
    private let head: RequestHead?
    private let client: String
    private let began: ContinuousClock.Instant

    /// Nil if the log does not take such lines.
    init?(_ head: RequestHead?, from peer: Peer, since began: ContinuousClock.Instant = .now, _ logger: Logger?) {
        guard let logger, logger.logLevel <= .info else { return nil }
        (self.logger, self.head, self.began, client) = (logger, head, began, "\(peer.address)")
    }

    /// How many bytes of this answer's body are sent.
    func sends(_ response: HTTPResponse) -> Int {
        head?.method == "HEAD" || response.status == 304 ? 0 : response.body.count
    }

    /// `bytes` of the body were sent.
    func logRequest(status: Int, bytes: Int) {
        let span = began.duration(to: .now).components
        let milliseconds = Int(span.seconds) * 1_000 + Int(span.attoseconds / 1_000_000_000_000_000)
        let method = head.map(\.method).flatMap { Route.Method.known.contains($0) ? $0 : nil }
        logger.write(
            .request,
            [
                "client": "\(client)", "method": "\(method ?? "-")",
                "path": "\(path(status))", "status": .stringConvertible(status), "bytes": .stringConvertible(bytes),
                "ms": .stringConvertible(milliseconds),
            ])
    }

    private func path(_ status: Int) -> String {
        guard let head else { return "-" }
        let parts = Route.parts(of: head.path)
        if let route = Route.all.first(where: { $0.parameter(in: parts) != nil }) { return route.path }
        // Only files and the echo are answered with one of these.
        return [101, 200, 304, 405, 412].contains(status) ? head.path : "-"
    }
}
