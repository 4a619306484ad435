import ArgumentParser
import Cryptography
import Foundation
import Hub
import Logging
import Rooms
import Transport

struct Serve: ParsableCommand, CustomReflectable {
    static let configuration = CommandConfiguration(
        abstract: "Serve rooms and the page that plays in them.",
        discussion: """
            Each option can also be an environment variable, FLIPSIDE_ and its name in capitals, as in \
            FLIPSIDE_LISTEN (separated by commas) or FLIPSIDE_TLS_CERT. The command line counts more, and an empty \
            variable counts as unset.

            SIGTERM and SIGINT stop the hub, SIGHUP reads all certificates again.
            """)

    /// The values from the command line, by option name.
    private(set) var given: [String: [String]] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ServeOption.Key.self)
        for option in ServeOption.all { given[option.name] = try option.texts(in: container) }
    }

    /// Swift Argument Parser looks for a command's options among its properties. These are made of `ServeOption.all`,
    /// so that each is declared once.
    var customMirror: Mirror { Mirror(self, children: ServeOption.all.map { (label: $0.name, value: $0.argument) }) }

    func run() throws {
        Signals.block()
        var settings = try ServeSettings(self, environment: ProcessInfo.processInfo.environment)
        let lines: LogOutput
        do { lines = try LogOutput(settings.logFormat) } catch { throw CommandLineError(sentence(error)) }
        defer { lines.close() }
        settings.options.droppedLines = { lines.droppedCount }
        var logger = Logger(label: "flipside") { _ in LogLines(lines) }
        logger.logLevel = settings.logLevel
        let loggers = HubLoggers(logger, levels: settings.options.logLevels)
        for warning in settings.warnings {
            loggers.hub.warning("\(warning.message)", metadata: warning.values.mapValues { "\($0)" })
        }
        let hub: HubServer
        do {
            hub = try HubServer(settings.options, logger: logger)
            // The process's supervisor starts it again.
            try hub.start { kill(getpid(), SIGTERM) }
        } catch { throw CommandLineError(sentence(error)) }
        let transport = settings.options.transport
        for address in hub.addresses {
            print("Flipside serves on \(url(of: address, address.port, isTLS: transport.tls != nil))")
        }
        for (address, port) in zip(transport.nodeAddresses, hub.nodePorts) {
            print("Flipside listens for other nodes on \(url(of: address, port, isTLS: transport.nodeTLS != nil))")
        }
        for (address, port) in zip(transport.redirectAddresses, hub.redirectPorts) {
            print("Flipside redirects from \(url(of: address, port, isTLS: false))")
        }
        do throws(CommandLineError) { try StandardStreams.flush() } catch {
            loggers.write(.addressesNotPrinted, ["reason": "\(error.description)"])
        }
        Signals.wait { signal in
            guard signal == SIGHUP else { return true }
            do {
                try hub.reloadCertificates()
                loggers.write(.certificatesRead)
            } catch {
                loggers.write(.certificatesNotRead, ["reason": "\(sentence(error))"])
            }
            return false
        }
        loggers.write(.stopping)
        let isLost = hub.isLost
        let isClosed = hub.stop()
        if isLost || !isClosed { throw ExitCode.failure }
    }

    /// The URL that people open.
    private func url(of address: ListenAddress, _ port: Int, isTLS: Bool) -> String {
        let host = address.host == "127.0.0.1" || address.host == "::1" ? "localhost" : address.host
        return "\(isTLS ? "https" : "http")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
