import Cryptography
import EventStore
import Hub
import Logging
import Transport

/// What the options of `serve` say together: each from the command line, else from the environment, else its default.
struct ServeSettings: Sendable {
    /// What holds where nothing is given.
    static let standard = ServeSettings()

    var options = HubOptions(
        transport: TransportOptions(addresses: [
            ListenAddress(host: "127.0.0.1", port: 8080), ListenAddress(host: "::1", port: 8080),
        ]), log: .sqlite(folder: "./data"))
    /// What has said so.
    private var logGiven: ServeOption.Given?
    var logLevel = Logger.Level.info
    var logFormat = LogFormat.text
    /// The halves of pairs that are given together or not at all.
    var certificates: [ServeOption.Given] = []
    var keys: [ServeOption.Given] = []
    var clientAuthority: ServeOption.Given?
    // What is said of this node among others.
    var nodeName: ServeOption.Given?
    var nodeListen: ServeOption.Given?
    var nodeURL: ServeOption.Given?
    var nodeAddress: NodeAddress?
    var clusterKey: ServeOption.Given?
    var nodeCertificate: ServeOption.Given?
    var nodeKey: ServeOption.Given?
    var nodeAuthority: ServeOption.Given?
    /// The first of the other options that say something about TLS alone.
    var needsTLS: ServeOption.Given?
    /// What is not as it should be, yet keeps nobody from serving.
    private(set) var warnings: [Warning] = []

    /// A line of the log: what is wrong, and the values it is about.
    struct Warning: Equatable {
        let message: String
        let values: [String: String]
    }

    private init() {
        options.webFolder = "./web"
        options.transport.optionalAddresses = options.transport.addresses.filter { $0.host == "::1" }
    }

    /// Refuses the first value that is none, naming the option or variable that it was given in.
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

    /// A variable that begins as the program's own do and is none of them was probably meant to be one.
    private static func unknownVariables(in environment: [String: String]) -> [Warning] {
        let known = ServeOption.all.map(\.variable)
        return environment.keys.filter { $0.hasPrefix(ServeOption.variablePrefix) && !known.contains($0) }.sorted().map
        {
            Warning(
                message: "a variable of this name is not known, and does nothing",
                values: ["variable": $0, "nearest": NearestName.of($0, among: known) ?? ""])
        }
    }

    /// Where the log is, for commands that have no other settings.
    static func log(
        _ log: String?, _ data: String?, environment: [String: String]
    ) throws(CommandLineError) -> LogAddress {
        var settings = standard
        for (option, text) in [(ServeOption.log, log), (.data, data)] {
            try option.put(option.given(text.map { [$0] } ?? [], environment), into: &settings)
        }
        return settings.options.log
    }

    /// Two options say where the log is. What is on the command line counts more than a variable.
    mutating func take(_ address: LogAddress, _ given: ServeOption.Given) throws(CommandLineError) {
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
