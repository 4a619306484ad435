import Cryptography
import Foundation
import Hub
import Logging
import Transport

/// The options of `serve`: from the command line, else from the environment, else their defaults.
struct ServeSettings {
    private(set) var options: HubOptions
    let logLevel: Logger.Level

    /// Refuses the first value that is none, naming the option or variable that it was given in.
    init(_ serve: Serve, environment: [String: String]) throws(Complaint) {
        let source = OptionSource(environment: environment)
        var transport = TransportOptions(addresses: try source.addresses(serve.listen), tls: try source.tls(serve))
        transport.loops = try source.number(serve.loops, "loops", 1...256) ?? transport.loops
        transport.connectionLimit =
            try source.number(serve.connections, "connections", 1...10_000_000) ?? transport.connectionLimit
        transport.connectionsPerAddress =
            try source.number(serve.connectionsPerAddress, "connections-per-address", 1...10_000_000)
            ?? transport.connectionsPerAddress
        options = HubOptions(transport: transport, dataFolder: source.given(serve.data, "data")?.text ?? "./data")
        options.webFolder = source.given(serve.web, "web")?.text ?? "./web"
        if let echo = source.given(serve.echo, "echo") {
            guard echo.text.hasPrefix("/") else { throw Complaint(echo, "a path that begins with a slash") }
            options.echoPath = echo.text
            // As much as the largest message that is echoed, twice.
            options.transport.queueLimitBytes = 128 << 20
        }
        options.limits.messagesPerSecond =
            try source.number(serve.messagesPerSecond, "messages-per-second", 1...1_000_000)
            ?? options.limits.messagesPerSecond
        options.limits.thinkTime =
            try source.number(serve.thinkTime, "think-time", 0...60_000) ?? options.limits.thinkTime
        if let clock = source.given(serve.clock, "clock") {
            guard let trusted = TrustedClock(rawValue: clock.text) else {
                throw Complaint(clock, "one of " + TrustedClock.allCases.map(\.rawValue).joined(separator: ", "))
            }
            options.trustedClock = trusted
        }
        let level = source.given(serve.logLevel, "log-level") ?? .init(name: "--log-level", text: "info")
        guard let logLevel = Logger.Level(rawValue: level.text) else {
            throw Complaint(level, "one of " + Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))
        }
        self.logLevel = logLevel
    }
}

/// Where an option's value comes from.
struct OptionSource {
    let environment: [String: String]

    /// What was given, and in what: `--loops` or `FLIPSIDE_LOOPS`.
    struct Given {
        let name: String
        let text: String
    }

    /// Nil if `option` was given nowhere. A variable that is empty counts as none: it is how one is taken back.
    func given(_ onCommandLine: String?, _ option: String) -> Given? {
        if let onCommandLine { return Given(name: "--" + option, text: onCommandLine) }
        let variable = "FLIPSIDE_" + option.uppercased().split(separator: "-").joined(separator: "_")
        guard let text = environment[variable], !text.isEmpty else { return nil }
        return Given(name: variable, text: text)
    }

    func number(_ onCommandLine: Int?, _ option: String, _ range: ClosedRange<Int>) throws(Complaint) -> Int? {
        guard let given = given(onCommandLine.map { String($0) }, option) else { return nil }
        guard let number = Int(given.text), range.contains(number) else {
            throw Complaint(given, "a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// In the variable there are commas between addresses, and spaces where people put them.
    func addresses(_ onCommandLine: [String]) throws(Complaint) -> [ListenAddress] {
        var listed = onCommandLine.map { Given(name: "--listen", text: $0) }
        if listed.isEmpty, let all = given(nil, "listen") {
            listed = all.text.split(separator: ",", omittingEmptySubsequences: false).map { part in
                Given(name: all.name, text: part.trimmingCharacters(in: .whitespaces))
            }
        }
        guard !listed.isEmpty else {
            return [ListenAddress(host: "127.0.0.1", port: 8080), ListenAddress(host: "::1", port: 8080)]
        }
        var addresses: [ListenAddress] = []
        for given in listed {
            guard let address = ListenAddress(given.text) else {
                throw Complaint(given, "an address to listen on, HOST:PORT or [IPv6]:PORT")
            }
            addresses.append(address)
        }
        return addresses
    }

    func tls(_ serve: Serve) throws(Complaint) -> TLSFiles? {
        switch (given(serve.tlsCert, "tls-cert"), given(serve.tlsKey, "tls-key")) {
        case (let certificate?, let key?): return TLSFiles(certificate: certificate.text, key: key.text)
        case (nil, nil): return nil
        case (let one?, nil), (nil, let one?):
            throw Complaint("\(one.name) is given alone; --tls-cert and --tls-key are given together or not at all.")
        }
    }
}

extension Complaint {
    /// About a value that is not `wanted`.
    fileprivate init(_ given: OptionSource.Given, _ wanted: String) {
        self.init("\(given.name) is `\(given.text)`; it must be \(wanted).")
    }
}
