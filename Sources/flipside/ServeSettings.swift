import Cluster
import Cryptography
import EventStore
import Hub
import Logging
import Transport

/// The options of `serve` together, each from the command line, or else the environment, or else its default.
struct ServeSettings: Sendable {
    /// The settings if nothing is given.
    static let standard = ServeSettings()

    var options = HubOptions(
        transport: TransportOptions(addresses: [
            ListenAddress(host: "127.0.0.1", port: 8080), ListenAddress(host: "::1", port: 8080),
        ]), log: .sqlite(folder: "./data"))
    /// The option or variable that named the log.
    private var logGiven: ServeOption.Given?
    var logLevel = Logger.Level.info
    var logFormat = LogFormat.text
    /// Halves of pairs that must be given together.
    var certificates: [ServeOption.Given] = []
    var keys: [ServeOption.Given] = []
    var clientAuthority: ServeOption.Given?
    // What is given about this node among others.
    var nodeName: ServeOption.Given?
    var nodeListen: ServeOption.Given?
    var nodeURL: ServeOption.Given?
    var nodeAddress: NodeAddress?
    var clusterKey: ServeOption.Given?
    var nodeCertificate: ServeOption.Given?
    var nodeKey: ServeOption.Given?
    var nodeAuthority: ServeOption.Given?
    /// The first other option that needs TLS.
    var needsTLS: ServeOption.Given?
    /// Problems that do not keep the hub from serving.
    private(set) var warnings: [Warning] = []

    /// A line of the log with the values that it is about.
    struct Warning: Equatable {
        let message: String
        let values: [String: String]
    }

    private init() {
        options.webFolder = "./web"
        options.transport.optionalAddresses = options.transport.addresses.filter { $0.host == "::1" }
    }

    /// Refuses the first bad value, and names the option or variable that it came from.
    init(_ serve: Serve, environment: [String: String]) throws(CommandLineError) {
        self = .standard
        for option in ServeOption.all {
            try option.put(option.given(serve.given[option.name, default: []], environment), into: &self)
        }
        let pairs = try pairs()
        if !pairs.isEmpty {
            options.transport.tls = TLSOptions(pairs: pairs, clientAuthority: clientAuthority?.text)
        } else if let one = clientAuthority ?? needsTLS {
            throw CommandLineError("\(one.source) is of no use without --tls-cert.")
        }
        try takeNode()
        if let note = clusterKey.flatMap({ TLSNote(ofKey: $0.text) }) {
            warnings.append(Warning(message: note.message, values: ["reason": note.reason]))
        }
        warnings += Self.unknownVariables(in: environment)
    }

    /// An unknown variable with the program's prefix was probably meant to be an option.
    private static func unknownVariables(in environment: [String: String]) -> [Warning] {
        let known = ServeOption.all.map(\.variable)
        return environment.keys.filter { $0.hasPrefix(ServeOption.variablePrefix) && !known.contains($0) }.sorted().map
        {
            Warning(
                message: "a variable of this name is not known, and does nothing",
                values: ["variable": $0, "nearest": NearestName.of($0, among: known) ?? ""])
        }
    }

    /// The log's address, for commands that have no other settings.
    static func log(
        _ log: String?, _ data: String?, environment: [String: String]
    ) throws(CommandLineError) -> LogAddress {
        var settings = standard
        for (option, text) in [(ServeOption.log, log), (.data, data)] {
            try option.put(option.given(text.map { [$0] } ?? [], environment), into: &settings)
        }
        return settings.options.log
    }

    /// Two options name the log. The command line counts more than a variable.
    mutating func setLog(_ address: LogAddress, _ given: ServeOption.Given) throws(CommandLineError) {
        if let other = logGiven {
            guard other.isOnCommandLine != given.isOnCommandLine else {
                throw CommandLineError(
                    "\(other.source) and \(given.source) both say where the log is: give one of them.")
            }
            if other.isOnCommandLine { return }
        }
        (options.log, logGiven) = (address, given)
    }

    private func pairs() throws(CommandLineError) -> [TLSFiles] {
        if let alone = keys.isEmpty ? certificates.first : certificates.isEmpty ? keys.first : nil {
            throw CommandLineError(
                "\(alone.source) is given alone; --tls-cert and --tls-key are given together or not at all.")
        }
        guard certificates.count == keys.count else {
            throw CommandLineError(
                "There are \(certificates.count) of --tls-cert and \(keys.count) of --tls-key; each certificate needs "
                    + "its key, in the same order.")
        }
        return zip(certificates, keys).map { TLSFiles(certificate: $0.text, key: $1.text) }
    }
}
