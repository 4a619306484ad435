import Cryptography
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
        ]), dataFolder: "./data")
    var logLevel = Logger.Level.info
    /// The two halves of a pair that is given together or not at all.
    var certificate: ServeOption.Given?
    var key: ServeOption.Given?

    private init() { options.webFolder = "./web" }

    /// Refuses the first value that is none, naming the option or variable that it was given in.
    init(_ serve: Serve, environment: [String: String]) throws(CommandLineError) {
        self = .standard
        for option in ServeOption.all {
            try option.put(option.given(serve.given[option.name, default: []], environment), into: &self)
        }
        switch (certificate, key) {
        case (let certificate?, let key?):
            options.transport.tls = TLSFiles(certificate: certificate.text, key: key.text)
        case (nil, nil): break
        case (let one?, nil), (nil, let one?):
            throw CommandLineError(
                "\(one.source) is given alone; --tls-cert and --tls-key are given together or not at all.")
        }
    }
}
