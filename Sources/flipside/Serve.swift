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
            Each option can be given as an environment variable, too: FLIPSIDE_LISTEN (separated by commas), \
            FLIPSIDE_DATA, \
            FLIPSIDE_WEB, FLIPSIDE_TLS_CERT, FLIPSIDE_TLS_KEY, FLIPSIDE_LOOPS, FLIPSIDE_LOG_LEVEL, and so on; an \
            option counts more. SIGTERM and SIGINT stop the hub, SIGHUP reads the certificate again.
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

    @Option(help: "How much is logged: trace, debug, info, notice, warning, error, critical. (default: info)")
    var logLevel: String?

    func run() throws {
        Signals.block()
        let settings = try Settings(self)
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

/// The options of `serve`, from the command line, the environment, or their defaults.
private struct Settings {
    var options: HubOptions
    var logLevel: Logger.Level

    init(_ serve: Serve) throws {
        let environment = ProcessInfo.processInfo.environment
        func text(_ given: String?, _ name: String) -> String? { given ?? environment["FLIPSIDE_" + name] }
        func number(_ given: Int?, _ name: String, _ range: ClosedRange<Int>) throws -> Int? {
            if let given, range.contains(given) { return given }
            guard let text = given.map(String.init) ?? environment["FLIPSIDE_" + name] else { return nil }
            guard let number = Int(text), range.contains(number) else {
                throw Complaint("\(name) is \(text); it is a number from \(range.lowerBound) to \(range.upperBound).")
            }
            return number
        }
        var addresses = serve.listen
        if addresses.isEmpty, let text = environment["FLIPSIDE_LISTEN"] {
            addresses = text.split(separator: ",").map(String.init)
        }
        if addresses.isEmpty { addresses = ["127.0.0.1:8080", "[::1]:8080"] }
        let listen = try addresses.map { text in
            guard let address = ListenAddress(text) else {
                throw Complaint("`\(text)` is no address to listen on: HOST:PORT or [IPv6]:PORT.")
            }
            return address
        }
        var tls: TLSFiles?
        switch (text(serve.tlsCert, "TLS_CERT"), text(serve.tlsKey, "TLS_KEY")) {
        case (let certificate?, let key?): tls = TLSFiles(certificate: certificate, key: key)
        case (nil, nil): break
        default: throw Complaint("--tls-cert and --tls-key are given together or not at all.")
        }
        var transport = TransportOptions(addresses: listen, tls: tls)
        transport.loops = try number(serve.loops, "LOOPS", 1...256) ?? transport.loops
        transport.connectionLimit =
            try number(serve.connections, "CONNECTIONS", 1...10_000_000) ?? transport.connectionLimit
        transport.connectionsPerAddress =
            try number(serve.connectionsPerAddress, "CONNECTIONS_PER_ADDRESS", 1...10_000_000)
            ?? transport.connectionsPerAddress
        options = HubOptions(transport: transport, dataFolder: text(serve.data, "DATA") ?? "./data")
        options.webFolder = text(serve.web, "WEB") ?? "./web"
        options.echoPath = text(serve.echo, "ECHO")
        if let path = options.echoPath {
            guard path.hasPrefix("/") else { throw Complaint("The path of the echo begins with a slash: /echo.") }
            // As much as the largest message that is echoed, twice.
            options.transport.queueLimitBytes = 128 << 20
        }
        options.limits.messagesPerSecond =
            try number(serve.messagesPerSecond, "MESSAGES_PER_SECOND", 1...1_000_000)
            ?? options.limits.messagesPerSecond
        let level = text(serve.logLevel, "LOG_LEVEL") ?? "info"
        guard let logLevel = Logger.Level(rawValue: level) else {
            throw Complaint("`\(level)` is no log level: trace, debug, info, notice, warning, error, critical.")
        }
        self.logLevel = logLevel
    }
}
