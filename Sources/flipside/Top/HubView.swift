import Hub
import Transport
import WebProtocols

/// What `flipside top` shows; read when it is made, and again for each table.
protocol TopView: AnyObject {
    var name: String { get }
    /// The changes since the last call.
    func lines() throws -> [String]
}

final class HubView: TopView {
    private let hub: AskedHub
    private var before: AskedHub.Answer

    init(_ hub: AskedHub) throws { (self.hub, before) = (hub, try hub.read()) }

    var name: String { hub.name }

    func lines() throws -> [String] {
        let after = try hub.read()
        defer { before = after }
        return TopTable(
            before: before.reading, after: after.reading, seconds: (after.time - before.time) / .seconds(1)
        ).lines
    }
}

/// A hub that is asked again and again.
struct AskedHub {
    typealias Answer = (reading: MetricsReading, time: ContinuousClock.Instant)

    /// For each step; slower ones are reported.
    private static let timeout = Duration.seconds(10)

    let name: String
    private var request: OneRequest

    init(name: String, request: OneRequest) {
        (self.name, self.request) = (name, request)
        (self.request.limits.connectTime, self.request.limits.answerTime) = (Self.timeout, Self.timeout)
    }

    /// A hub of this machine.
    init(name: String, note: OperatorNote) {
        self.init(
            name: name,
            request: OneRequest(
                endpoint: ClientEndpoint(host: "127.0.0.1", port: note.port), method: "GET", target: "/metrics",
                headers: ["Authorization": "Bearer \(note.token)"]))
    }

    /// The hub's current metrics, and when they arrived.
    func read() throws -> Answer {
        let answer: HTTPResponse
        do { answer = try request.answer() } catch {
            throw CommandLineError("The hub at \(name) does not answer: \(sentence(error)).")
        }
        let now = ContinuousClock.now
        guard answer.status == 200 else {
            throw CommandLineError("The hub at \(name) does not tell what it does: it answers \(answer.status).")
        }
        do throws(MetricsReadingError) {
            return (try MetricsReading(String(decoding: answer.body, as: UTF8.self)), now)
        } catch { throw CommandLineError("\(name) is no hub that can be shown: \(error.sentence).") }
    }
}
