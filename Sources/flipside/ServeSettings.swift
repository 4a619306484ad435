import Cryptography
import Hub
import Logging
import Transport

/// The options of `serve`: from the command line, else from the environment, else their defaults.
struct ServeSettings {
    private(set) var options: HubOptions
    let logLevel: Logger.Level

    /// Throws a `Complaint` that names what does not fit, as it was given.
    init(_ serve: Serve, environment: [String: String]) throws {
        let source = Source(environment: environment)
        var transport = TransportOptions(addresses: try source.addresses(serve.listen), tls: try source.tls(serve))
        transport.loops = try source.number(serve.loops, "loops", 1...256) ?? transport.loops
        transport.connectionLimit =
            try source.number(serve.connections, "connections", 1...10_000_000) ?? transport.connectionLimit
        transport.connectionsPerAddress =
            try source.number(serve.connectionsPerAddress, "connections-per-address", 1...10_000_000)
            ?? transport.connectionsPerAddress
        options = HubOptions(transport: transport, dataFolder: source.text(serve.data, "data") ?? "./data")
        options.webFolder = source.text(serve.web, "web") ?? "./web"
        options.echoPath = source.text(serve.echo, "echo")
        if let path = options.echoPath {
            guard path.hasPrefix("/") else { throw Complaint("The path of the echo begins with a slash: /echo.") }
            // As much as the largest message that is echoed, twice.
            options.transport.queueLimitBytes = 128 << 20
        }
        options.limits.messagesPerSecond =
            try source.number(serve.messagesPerSecond, "messages-per-second", 1...1_000_000)
            ?? options.limits.messagesPerSecond
        options.limits.thinkTime =
            try source.number(serve.thinkTime, "think-time", 0...60_000) ?? options.limits.thinkTime
        let level = source.text(serve.logLevel, "log-level") ?? "info"
        guard let logLevel = Logger.Level(rawValue: level) else {
            let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
            throw Complaint("`\(level)` is no log level: \(levels).")
        }
        self.logLevel = logLevel
    }
}

/// Where an option's value comes from.
private struct Source {
    let environment: [String: String]

    /// `tls-cert` is FLIPSIDE_TLS_CERT.
    private func variable(_ option: String) -> String {
        "FLIPSIDE_" + option.uppercased().split(separator: "-").joined(separator: "_")
    }

    func text(_ given: String?, _ option: String) -> String? { given ?? environment[variable(option)] }

    func number(_ given: Int?, _ option: String, _ range: ClosedRange<Int>) throws -> Int? {
        let name = given == nil ? variable(option) : "--" + option
        guard let text = given.map({ String($0) }) ?? environment[variable(option)] else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw Complaint("\(name) is `\(text)`; it is a number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    func addresses(_ given: [String]) throws -> [ListenAddress] {
        let listed = environment[variable("listen")]?.split(separator: ",").map(String.init) ?? []
        let texts = given.isEmpty ? listed : given
        return try (texts.isEmpty ? ["127.0.0.1:8080", "[::1]:8080"] : texts).map { text in
            guard let address = ListenAddress(text) else {
                throw Complaint("`\(text)` is no address to listen on: HOST:PORT or [IPv6]:PORT.")
            }
            return address
        }
    }

    func tls(_ serve: Serve) throws -> TLSFiles? {
        switch (text(serve.tlsCert, "tls-cert"), text(serve.tlsKey, "tls-key")) {
        case (let certificate?, let key?): return TLSFiles(certificate: certificate, key: key)
        case (nil, nil): return nil
        default: throw Complaint("--tls-cert and --tls-key are given together or not at all.")
        }
    }
}
