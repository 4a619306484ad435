import Cluster
import EventStore
import Hub
import Logging
import Rooms
import Transport
import WebProtocols

// Every option of `serve`, in the order of its help.
extension ServeOption {
    static let all: [ServeOption] = [
        ServeOption(
            "listen", "Address to listen on, as HOST:PORT or [IPv6]:PORT; may be given several times.",
            standard: ServeSettings.standard.options.transport.addresses.map(\.description).joined(separator: " and "),
            .list { settings, given throws(CommandLineError) in
                settings.options.transport.addresses = try addresses(given)
                settings.options.transport.optionalAddresses = []
            }),
        log, data,
        ServeOption(
            "web", "Folder of the page.", standard: ServeSettings.standard.options.webFolder,
            .text { $0.options.webFolder = $1.text }),
        ServeOption(
            "public-url", "Where people reach the hub, for links in previews: https://play.example.org.",
            standard: "as each request says",
            .text { settings, given throws(CommandLineError) in
                let wanted = "an address such as https://play.example.org, without a path"
                settings.options.publicURL = try given.value(wanted) { WebOrigin($0) }
            }),
        ServeOption(
            "origin",
            "Site whose pages may open WebSockets, such as https://play.example.org; may be given several times. "
                + "none: any site.",
            standard: "the host of the request",
            .list { settings, given throws(CommandLineError) in
                guard given.map(\.text) != ["none"] else { return settings.options.origins = .any }
                let wanted = "an address such as https://play.example.org, or none by itself"
                settings.options.origins = .listed(try given.values(wanted) { WebOrigin($0) })
            }),
        ServeOption(
            "host-name", "Name that the hub answers to, without a port; may be given several times.",
            standard: "any",
            .list { settings, given throws(CommandLineError) in
                let wanted = "a name such as play.example.org, an IPv4 address, or [IPv6]"
                let names = try given.values(wanted) { WebOrigin.isHost($0) ? $0.lowercased() : nil }
                settings.options.hostNames = names
            }),
        ServeOption(
            "tls-cert",
            "Certificate chain, PEM: with --tls-key all addresses speak TLS. Given several times, each client is shown "
                + "the first that has the name it asks for, or else the first of all.",
            .list { $0.certificates = $1 }),
        ServeOption(
            "tls-key", "Private key of each certificate, PEM, in the same order.", .list { $0.keys = $1 }),
        ServeOption(
            "tls-client-ca",
            "Certificates, PEM: lets in only clients that show a certificate signed by one of them; all by default.",
            .text { $0.clientAuthority = $1 }),
        ServeOption(
            "redirect-http",
            "Address to listen on in plain HTTP, as HOST:PORT or [IPv6]:PORT, which redirects to the first "
                + "--listen address over TLS; may be given several times, none by default.",
            .list { settings, given throws(CommandLineError) in
                settings.options.transport.redirectAddresses = try addresses(given)
                settings.needsTLS = settings.needsTLS ?? given.first
            }),
        ServeOption(
            "hsts",
            "Seconds from each answer for which browsers use only TLS (Strict-Transport-Security); 0 "
                + "takes it back, none by default.",
            .text { settings, given throws(CommandLineError) in
                guard let seconds = Int(given.text), (0...twoYears).contains(seconds) else {
                    throw CommandLineError(given, "a number of seconds from 0 to \(twoYears)")
                }
                settings.options.transport.transportSecuritySeconds = seconds
                settings.needsTLS = settings.needsTLS ?? given
            }),
        ServeOption(
            "node",
            "Name of this node if several share a PostgreSQL log; different on each.",
            standard: "host name and port",
            .text { settings, given throws(CommandLineError) in
                guard (1...NodeOptions.nameBytes).contains(given.text.utf8.count) else {
                    throw CommandLineError(given, "a name of 1 to \(NodeOptions.nameBytes) bytes")
                }
                settings.nodeName = given
            }),
        ServeOption(
            "node-listen",
            "Address at which this node listens for others, as HOST:PORT or [IPv6]:PORT; may be given several times, "
                + "none by default. Needs --node-url and --cluster-key.",
            .list { settings, given throws(CommandLineError) in
                settings.options.transport.nodeAddresses = try addresses(given)
                settings.nodeListen = given.first
            }),
        ServeOption(
            "node-url", "URL at which other nodes reach it: http://10.0.0.7:7070, or https if it speaks TLS.",
            .text { settings, given throws(CommandLineError) in
                let wanted = "an address such as http://10.0.0.7:7070, without a path"
                (settings.nodeURL, settings.nodeAddress) = (given, try given.value(wanted) { NodeAddress($0) })
            }),
        ServeOption(
            "cluster-key",
            "File with a secret that only the nodes know: \(ClusterKey.leastBytes) bytes or more.",
            .text { $0.clusterKey = $1 }),
        ServeOption(
            "node-tls-cert", "Certificate chain, PEM, that this node shows to others; needs an https --node-url.",
            .text { $0.nodeCertificate = $1 }),
        ServeOption("node-tls-key", "Private key of that certificate, PEM.", .text { $0.nodeKey = $1 }),
        ServeOption(
            "node-tls-ca", "Certificates, PEM: authorities trusted for other nodes' certificates.",
            standard: "the system",
            .text { $0.nodeAuthority = $1 }),
        .number(
            "loops", "Event loops, a thread each.", 1...256, \.options.transport.loops, standard: "one a processor"),
        ServeOption(
            "echo", "Path of a plain WebSocket echo, for conformance tests; none by default.",
            .text { settings, given throws(CommandLineError) in
                guard given.text.hasPrefix("/") else {
                    throw CommandLineError(given, "a path that begins with a slash")
                }
                settings.options.echoPath = given.text
                // Twice the largest message that is echoed.
                settings.options.transport.queueLimitBytes = 128 << 20
            }),
        ServeOption(
            "trusted-proxy",
            "Address or block, such as 10.0.0.0/8, of a trusted proxy; may be given several times.",
            .list { settings, given throws(CommandLineError) in
                let wanted = "an address, or a block such as 10.0.0.0/8 or fd00::/8 without bits after its length"
                settings.options.transport.trustedProxies = try given.values(wanted) { AddressBlock($0) }
            }),
        .number("connections", "Maximum connections in total.", 1...10_000_000, \.options.transport.connectionLimit),
        .number(
            "connections-per-address",
            "Maximum connections per address; a trusted proxy's, or without one this machine's, are not counted.",
            1...10_000_000, \.options.transport.connectionsPerAddress),
        .number(
            "messages-per-second", "Maximum messages per second per connection.", 1...1_000_000,
            \.options.limits.messagesPerSecond),
        .number(
            "commands-per-second", "Maximum recorded commands per second per player.", 1...1_000_000,
            \.options.limits.commandsPerSecond),
        // The longest message always fits.
        .number(
            "bytes-per-second", "Maximum bytes per second read from one connection.", 32_768...1_000_000_000,
            \.options.transport.bytesPerSecond),
        .number(
            "members-per-room", "Maximum connections in one room.", 1...10_000_000, \.options.limits.membersPerRoom),
        .number("lobby-members", "Maximum connections in the lobby.", 1...10_000_000, \.options.limits.lobbyMembers),
        .number("awake-rooms", "Maximum rooms that one loop keeps awake.", 1...10_000_000, \.options.limits.awakeRooms),
        .number(
            "rooms-per-day", "Maximum rooms that one player opens in 24 hours.", 1...1_000_000,
            \.options.limits.roomsPerDay),
        .number(
            "registrations-per-minute", "Maximum new players, devices and names per address per minute.",
            1...1_000_000,
            \.options.limits.registrationsPerMinute),
        .number(
            "failures-per-minute", "Maximum wrong tokens and codes per address per minute.", 1...1_000_000,
            \.options.limits.failuresPerMinute),
        .number(
            "think-time", "How long a computer player seems to think about a move, in milliseconds.", 0...60_000,
            \.options.limits.thinkTime),
        .choice("clock", "Which to trust, log or system, if the log is over a day ahead of the system's clock.") {
            $0.options.trustedClock = $1 as TrustedClock
        },
        ServeOption(
            "log-level",
            "How much is logged: \(names(Logger.Level.allCases)); or how much of one part, as PART=LEVEL: "
                + "\(names(LogPart.allCases)). Separate several by commas, as in info,rooms=debug.",
            standard: ServeSettings.standard.logLevel.rawValue,
            .list { settings, given throws(CommandLineError) in
                for one in given { try takeLogLevels(one, into: &settings) }
            }),
        .choice(
            "log-format", "Format of log lines: \(names(LogFormat.allCases)), which is an object on each.",
            standard: ServeSettings.standard.logFormat.rawValue
        ) { $0.logFormat = $1 },
        .choice(
            "access-log", "Whether each request has a line in the log: on or off.",
            standard: AccessLogging.off.rawValue
        ) { $0.options.logsAccess = $1 as AccessLogging == .on },
    ]

    /// Reads a value such as `info,rooms=debug`.
    private static func takeLogLevels(_ given: Given, into settings: inout ServeSettings) throws(CommandLineError) {
        for text in given.text.split(separator: ",", omittingEmptySubsequences: false) {
            let words = text.split(separator: "=", maxSplits: 1).map { String($0) }
            guard let level = words.last.flatMap({ Logger.Level(rawValue: $0) }),
                let part = words.count == 1 ? .some(nil) : LogPart(rawValue: words[0]).map(Optional.some)
            else {
                throw CommandLineError(
                    given,
                    "one of \(names(Logger.Level.allCases)), or such as rooms=debug for one of "
                        + names(LogPart.allCases))
            }
            if let part { settings.options.logLevels[part] = level } else { settings.logLevel = level }
        }
    }

    private static func names(_ choices: [some RawRepresentable<String>]) -> String {
        choices.map(\.rawValue).joined(separator: ", ")
    }

    private enum AccessLogging: String, CaseIterable { case on, off }

    private static func addresses(_ given: [Given]) throws(CommandLineError) -> [ListenAddress] {
        try given.values("an address to listen on, HOST:PORT or [IPv6]:PORT") { ListenAddress($0) }
    }

    /// Browsers' preload lists require this much. A mistake that lasted longer could hardly be outlived.
    private static let twoYears = 63_072_000

    // Other commands have these too.

    static let log = ServeOption(
        "log",
        "The log: sqlite:FOLDER, or postgresql://USER@HOST:PORT/DATABASE, which several nodes may share; created if "
            + "needed.", standard: "sqlite:" + standardFolder,
        .text { settings, given throws(CommandLineError) in
            try settings.setLog(try CommandLineError.address(given), given)
        })

    static let data = ServeOption(
        "data", "Folder of the log: short for --log sqlite:FOLDER.", standard: standardFolder,
        .text { settings, given throws(CommandLineError) in try settings.setLog(.sqlite(folder: given.text), given) })

    private static let standardFolder = "./data"
}
