import Foundation
import Testing

@testable import flipside

@Suite("The options of serve") struct ServeSettingsTests {
    /// An option, two different values, an invalid value, and the setting that results.
    struct Row: Sendable, CustomTestStringConvertible {
        let option: String
        let values: (String, String)
        var bad: String?
        let read: @Sendable (ServeSettings) -> String

        var variable: String { "FLIPSIDE_" + option.uppercased().replacing("-", with: "_") }
        var testDescription: String { option }
    }

    /// Rows of numbers follow from the options' declarations.
    static let rows = ownRows + ServeOption.all.compactMap(\.row)
    private static let ownRows = [
        Row(option: "listen", values: ("127.0.0.1:1", "[::1]:2"), bad: "8080") { "\($0.options.transport.addresses)" },
        Row(option: "log", values: ("sqlite:a", "postgresql://b/c"), bad: "a") { "\($0.options.log)" },
        Row(option: "data", values: ("a", "b")) { "\($0.options.log)" },
        Row(option: "node", values: ("a", "b"), bad: String(repeating: "n", count: 257)) { $0.options.node.name },
        Row(option: "node-listen", values: ("127.0.0.1:1", "[::1]:2"), bad: "7070") {
            "\($0.options.transport.nodeAddresses)"
        },
        Row(option: "node-url", values: ("https://a:1", "https://b:1"), bad: "a:1") {
            "\($0.options.node.links?.address as Any)"
        },
        Row(option: "cluster-key", values: (key(1), key(2))) { "\($0.options.node.links?.key as Any)" },
        Row(option: "node-tls-cert", values: ("a", "b")) {
            $0.options.transport.nodeTLS?.pairs.first?.certificate ?? ""
        },
        Row(option: "node-tls-key", values: ("a", "b")) { $0.options.transport.nodeTLS?.pairs.first?.key ?? "" },
        Row(option: "node-tls-ca", values: ("a", "b")) { "\($0.options.node.links?.trust as Any)" },
        Row(option: "web", values: ("a", "b")) { $0.options.webFolder ?? "" },
        Row(option: "public-url", values: ("https://a.example", "http://[::1]:80/"), bad: "https://a.example/b") {
            "\($0.options.publicURL as Any)"
        },
        Row(option: "origin", values: ("https://a.example", "none"), bad: "a.example") {
            "\($0.options.origins)"
        },
        Row(option: "host-name", values: ("a.example", "[::1]"), bad: "a.example:80") { "\($0.options.hostNames)" },
        Row(option: "trusted-proxy", values: ("10.0.0.0/8", "::1"), bad: "10.0.0.1/8") {
            "\($0.options.transport.trustedProxies)"
        },
        Row(option: "tls-cert", values: ("a", "b")) { $0.options.transport.tls?.pairs.first?.certificate ?? "" },
        Row(option: "tls-key", values: ("a", "b")) { $0.options.transport.tls?.pairs.first?.key ?? "" },
        Row(option: "tls-client-ca", values: ("a", "b")) { $0.options.transport.tls?.clientAuthority ?? "" },
        Row(option: "redirect-http", values: ("127.0.0.1:1", "[::1]:2"), bad: "80") {
            "\($0.options.transport.redirectAddresses)"
        },
        Row(option: "hsts", values: ("0", "300"), bad: "-1") {
            "\($0.options.transport.transportSecuritySeconds as Any)"
        },
        Row(option: "echo", values: ("/a", "/b"), bad: "echo") { $0.options.echoPath ?? "" },
        Row(option: "clock", values: ("log", "system"), bad: "mine") { "\($0.options.trustedClock as Any)" },
        Row(option: "log-level", values: ("debug", "error"), bad: "loud") { "\($0.logLevel)" },
        Row(option: "log-level", values: ("info,rooms=debug", "rooms=trace"), bad: "games=debug") {
            "\($0.logLevel) \($0.options.logLevels)"
        },
        Row(option: "log-format", values: ("json", "text"), bad: "xml") { "\($0.logFormat)" },
        Row(option: "access-log", values: ("on", "off"), bad: "yes") { "\($0.options.logsAccess)" },
    ]

    private static func key(_ byte: UInt8, count: Int = 32) -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("flipside-key-\(byte)").path
        _ = FileManager.default.createFile(atPath: path, contents: Data(repeating: byte, count: count))
        return path
    }

    /// The other half of a pair that must be given together, and what a node needs if the option is one of a node.
    private func others(of row: Row) -> [String: String] {
        let pair = ["FLIPSIDE_TLS_CERT": "cert.pem", "FLIPSIDE_TLS_KEY": "key.pem"]
        guard row.option == "cluster-key" || row.option.hasPrefix("node") else { return pair }
        return pair.merging([
            "FLIPSIDE_LOG": "postgresql:///games", "FLIPSIDE_NODE_LISTEN": "127.0.0.1:7070",
            "FLIPSIDE_NODE_URL": "https://node:7070", "FLIPSIDE_CLUSTER_KEY": Self.key(0),
            "FLIPSIDE_NODE_TLS_CERT": "cert.pem", "FLIPSIDE_NODE_TLS_KEY": "key.pem",
        ]) { $1 }
    }

    private func settings(_ arguments: [String], _ environment: [String: String]) throws -> ServeSettings {
        try ServeSettings(Serve.parse(arguments), environment: environment)
    }

    @Test(
        "a variable does what its option does, which has priority over it, and is ignored if empty", arguments: rows)
    func agree(row: Row) throws {
        let flag = ["--" + row.option, row.values.0]
        let pair = others(of: row)
        let byOption = try settings(flag, pair)
        let byVariable = try settings([], pair.merging([row.variable: row.values.0]) { $1 })
        let other = pair.merging([row.variable: row.values.1]) { $1 }
        #expect(row.read(byOption) == row.read(byVariable))
        #expect(row.read(try settings([], other)) != row.read(byOption))
        #expect(row.read(try settings(flag, other)) == row.read(byOption))
        let unset = pair.mapValues { _ in "" }.merging([row.variable: ""]) { $1 }
        #expect(row.read(try settings([], unset)) == row.read(try settings([], [:])))
    }

    @Test("an invalid value is named with its option or variable", arguments: rows)
    func complaints(row: Row) throws {
        guard let bad = row.bad else { return }
        let byVariable = #expect(throws: CommandLineError.self) { try settings([], [row.variable: bad]) }
        #expect(byVariable?.description.hasPrefix("\(row.variable) is `\(bad)`; it must be ") == true)
        let byOption = #expect(throws: CommandLineError.self) { try settings(["--\(row.option)=\(bad)"], [:]) }
        #expect(byOption?.description.hasPrefix("--\(row.option) is `\(bad)`; it must be ") == true)
        // A variable that does not count is not read.
        _ = try settings(["--" + row.option, row.values.0], others(of: row).merging([row.variable: bad]) { $1 })
    }

    @Test("without any, the hub serves only this machine")
    func defaults() throws {
        let options = try settings([], [:]).options
        #expect(options.transport.addresses.map(\.description) == ["127.0.0.1:8080", "[::1]:8080"])
        #expect(options.transport.tls == nil && options.echoPath == nil)
        #expect(options.log == .sqlite(folder: "./data") && options.webFolder == "./web")
    }

    @Test("a log that is given twice is refused; the command line has priority over variables")
    func logTwice() throws {
        let twice = #expect(throws: CommandLineError.self) { try settings(["--log", "sqlite:a", "--data", "b"], [:]) }
        #expect(twice?.description == "--log and --data both say where the log is: give one of them.")
        let variables = ["FLIPSIDE_DATA": "b", "FLIPSIDE_LOG": "sqlite:a"]
        #expect(throws: CommandLineError.self) { try settings([], variables) }
        #expect(try settings(["--log", "sqlite:c"], ["FLIPSIDE_DATA": "b"]).options.log == .sqlite(folder: "c"))
        #expect(try settings(["--data", "c"], ["FLIPSIDE_LOG": "sqlite:a"]).options.log == .sqlite(folder: "c"))
    }

    @Test(
        "a node's options are given together, and only for a log that can be shared",
        arguments: [
            (["--node", "a"], "--node is of no use with a log of SQLite"),
            (["--log", "postgresql:///x", "--node-url", "http://a"], "--node-url is of no use without --node-listen"),
            (
                ["--log", "postgresql:///x", "--node-listen", "a:1", "--node-url", "http://a:1"],
                "--node-listen is of no use without --cluster-key"
            ),
            (["--log", "postgresql:///x", "--node-tls-ca", "a"], "--node-tls-ca is of no use without --node-listen"),
            (nodeOptions("http://a:1") + ["--node-tls-ca", "a"], "--node-tls-ca is of no use while --node-url"),
            (nodeOptions("https://a:1"), "An https --node-url needs --node-tls-cert and --node-tls-key."),
            (nodeOptions("http://a:1", key: "/nowhere"), "The key in /nowhere cannot be read (--cluster-key)."),
            (
                nodeOptions("http://a:1", key: key(9, count: 15)),
                "The key in \(key(9, count: 15)) is too short: it must"
            ),
        ])
    func nodes(arguments: [String], complaint: String) {
        let error = #expect(throws: CommandLineError.self) { try settings(arguments, [:]) }
        #expect(error?.description.hasPrefix(complaint) == true, "\(error?.description ?? "")")
    }

    private static func nodeOptions(_ url: String, key: String? = nil) -> [String] {
        [
            "--log", "postgresql:///x", "--node-listen", "a:1", "--node-url", url, "--cluster-key",
            key ?? Self.key(0),
        ]
    }

    @Test("a node is named by its host and port unless it has a name") func nodeName() throws {
        let name = try settings(["--log", "postgresql:///x", "--listen", "127.0.0.1:7"], [:]).options.node.name
        #expect(name == ProcessInfo.processInfo.hostName + ":7")
    }

    @Test("an invalid address is refused without showing its password") func hidesPassword() throws {
        let error = #expect(throws: CommandLineError.self) { try settings(["--log", "pg://ada:s3cret@db/x"], [:]) }
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test(
        "so is any other invalid address",
        arguments: [("log", "pg://ada:s3cret"), ("public-url", "https://ada:s3cret@h/"), ("listen", "a:s3cret@h")])
    func hidesPassword(option: String, text: String) throws {
        let error = #expect(throws: CommandLineError.self) { try settings(["--\(option)", text], [:]) }
        #expect(error?.description.contains("s3cret") == false)
    }

    @Test("an option without a value is refused", arguments: ["data", "log", "web", "listen", "tls-key", "node"])
    func empty(option: String) throws {
        let error = #expect(throws: CommandLineError.self) { try settings(["--\(option)", ""], [:]) }
        #expect(error?.description == "--\(option) is empty: give it a value, or leave it out.")
    }

    @Test("an unknown variable is named with the most similar one; its value is not shown")
    func unknownVariables() throws {
        let settings = try settings(
            [], ["FLIPSIDE_LISTNE": "s3cret", "FLIPSIDE_TLS_CERTIFICATE": "", "FLIPSIDE_LOOPS": "2", "HOME": "/"])
        #expect(
            settings.warnings.map(\.values) == [
                ["variable": "FLIPSIDE_LISTNE", "nearest": "FLIPSIDE_LISTEN"],
                ["variable": "FLIPSIDE_TLS_CERTIFICATE", "nearest": "FLIPSIDE_TLS_CERT"],
            ])
    }

    @Test("a cluster key that everyone may read is named") func openKey() throws {
        let key = Self.key(7)
        for (mode, count) in [(0o600, 0), (0o640, 0), (0o644, 1)] as [(mode_t, Int)] {
            #expect(chmod(key, mode) == 0)
            let settings = try settings(Self.nodeOptions("http://a:1", key: key), [:])
            #expect(settings.warnings.filter { $0.message.contains("may read a key") }.count == count)
        }
    }

    @Test("each option of serve has a row here")
    func complete() {
        let named = Serve.helpMessage().matches(of: /--([a-z-]+)/).map { String($0.output.1) }
        #expect(Set(named).subtracting(["help", "version"]) == Set(Self.rows.map(\.option)))
    }

    @Test(
        "FLIPSIDE_LISTEN holds a list",
        arguments: [
            ("127.0.0.1:1,[::1]:2", ["127.0.0.1:1", "[::1]:2"]), ("localhost:0", ["localhost:0"]),
            (" 127.0.0.1:1 , 127.0.0.2:1 ", ["127.0.0.1:1", "127.0.0.2:1"]),
        ])
    func lists(text: String, addresses: [String]) throws {
        let settings = try settings([], ["FLIPSIDE_LISTEN": text])
        #expect(settings.options.transport.addresses.map(\.description) == addresses)
    }

    @Test("an invalid part of FLIPSIDE_LISTEN is named", arguments: ["127.0.0.1:1,,[::1]:2", "a:1,b", ","])
    func badLists(text: String) throws {
        let error = #expect(throws: CommandLineError.self) { try settings([], ["FLIPSIDE_LISTEN": text]) }
        #expect(error?.description.hasPrefix("FLIPSIDE_LISTEN is ") == true)
    }

    @Test(
        "half a pair for TLS is named, wherever it is given",
        arguments: [
            (["--tls-key", "k"], [:], "--tls-key is given alone"),
            ([], ["FLIPSIDE_TLS_CERT": "c"], "FLIPSIDE_TLS_CERT is given alone"),
            (["--tls-cert", "c"], ["FLIPSIDE_TLS_KEY": ""], "--tls-cert is given alone"),
        ])
    func halfPairs(arguments: [String], environment: [String: String], sentence: String) throws {
        let error = #expect(throws: CommandLineError.self) { try settings(arguments, environment) }
        #expect(error?.description.hasPrefix(sentence) == true)
        let mixed = try settings(["--tls-cert", "c"], ["FLIPSIDE_TLS_KEY": "k"])
        #expect(mixed.options.transport.tls?.pairs.first?.key == "k")
    }

    @Test("options of TLS are refused without it", arguments: ["tls-client-ca", "redirect-http", "hsts"])
    func withoutTLS(option: String) throws {
        let value = try #require(Self.rows.first { $0.option == option }).values.0
        let error = #expect(throws: CommandLineError.self) { try settings(["--\(option)", value], [:]) }
        #expect(error?.description == "--\(option) is of no use without --tls-cert.")
    }

    @Test("pairs for TLS are in order, and both halves have the same number")
    func severalPairs() throws {
        let keys = ["FLIPSIDE_TLS_KEY": "a.key, b.key"]
        let settings = try settings(["--tls-cert", "a", "--tls-cert", "b"], keys)
        #expect(settings.options.transport.tls?.pairs.map(\.certificate) == ["a", "b"])
        #expect(settings.options.transport.tls?.pairs.map(\.key) == ["a.key", "b.key"])
        let error = #expect(throws: CommandLineError.self) { try self.settings(["--tls-cert", "a"], keys) }
        #expect(error?.description.hasPrefix("There are 1 of --tls-cert and 2 of --tls-key; ") == true)
    }
}

extension ServeOption {
    /// Its two lowest values, and the first one past its highest.
    fileprivate var row: ServeSettingsTests.Row? {
        guard case .number(let range, let path) = kind else { return nil }
        let (least, most) = (range.lowerBound, range.upperBound)
        return .init(option: name, values: ("\(least)", "\(least + 1)"), bad: "\(most + 1)") {
            "\($0[keyPath: path])"
        }
    }
}
