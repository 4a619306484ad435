import ArgumentParser
import Cryptography
import EventStore
import Foundation
import Hub
import Logging
import Transport

/// Runs the hub until it is told to stop.
struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve rooms and the page that plays in them.",
        discussion: """
            Each option can be given as an environment variable, too: FLIPSIDE_ and its name in capitals, as in \
            FLIPSIDE_LISTEN (separated by commas) or FLIPSIDE_TLS_CERT; an option counts more, and an empty \
            variable counts as none.

            SIGTERM and SIGINT stop the hub, SIGHUP reads the certificate again.
            """)

    @Option(
        help:
            """
            Address to listen on, as HOST:PORT or [IPv6]:PORT; may be given several times. (default: 127.0.0.1:8080 \
            and [::1]:8080)
            """
    )
    var listen: [String] = []

    @Option(help: "Folder of the log; created if need be. (default: ./data)")
    var data: String?

    @Option(help: "Folder of the page. (default: ./web)")
    var web: String?

    @Option(help: "Certificate chain, PEM: with --tls-key all addresses speak TLS.")
    var tlsCert: String?

    @Option(help: "Private key of the certificate, PEM.")
    var tlsKey: String?

    @Option(help: "Event loops, a thread each. (default: one a processor)")
    var loops: Int?

    @Option(help: "Path of a plain WebSocket echo, for conformance tests; none by default.")
    var echo: String?

    @Option(help: "Most connections in all. (default: 20000)")
    var connections: Int?

    @Option(help: "Most connections of one address; connections from this machine are not counted. (default: 1000)")
    var connectionsPerAddress: Int?

    @Option(help: "Most messages a second of one connection. (default: 1000)")
    var messagesPerSecond: Int?

    @Option(help: "How long a computer player seems to think about a move, in milliseconds. (default: 900)")
    var thinkTime: Int?

    @Option(help: "Which is right, log or system, where the log is over a day ahead of the system's clock.")
    var clock: String?

    @Option(help: "How much is logged: trace, debug, info, notice, warning, error, critical. (default: info)")
    var logLevel: String?

    func run() throws {
        Signals.block()
        let settings = try ServeSettings(self, environment: ProcessInfo.processInfo.environment)
        var logger = Logger(label: "flipside")
        logger.logLevel = settings.logLevel
        let hub: HubServer
        do {
            hub = try HubServer(settings.options, logger: logger)
            try hub.start()
        } catch { throw Complaint(sentence(error)) }
        for (address, port) in zip(settings.options.transport.addresses, hub.ports) {
            let scheme = settings.options.transport.tls == nil ? "http" : "https"
            let host = address.host == "127.0.0.1" || address.host == "::1" ? "localhost" : address.host
            print("Flipside serves on \(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)")
        }
        fflush(nil)
        Signals.wait { signal in
            guard signal == SIGHUP else { return true }
            do {
                try hub.reloadCertificates()
                logger.notice("certificate read again")
            } catch { logger.error("certificate not read again", metadata: ["reason": "\(sentence(error))"]) }
            return false
        }
        logger.notice("stopping")
        hub.stop()
    }
}
