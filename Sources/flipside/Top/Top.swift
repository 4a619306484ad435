import ArgumentParser
import Foundation
import Hub
import Transport

struct Top: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what a hub does: rooms, people, events a second, how long things take.",
        discussion: """
            Reads the hub's metrics every two seconds and shows what has changed. Without a URL it shows the hub that \
            runs on the same log, which it asks as `forget` does, or all nodes of a log in PostgreSQL, wherever they \
            run. Control-C ends it.
            """)

    @Argument(help: "The hub, as https://play.example.org. (default: the one that runs on --log)")
    var url: HubURL?

    @Flag(help: "Show one table, of one interval, and exit.")
    var once = false

    @Option(help: "Seconds between two readings.")
    var interval = 2.0

    @Option(help: "PEM: certificates to trust for the hub, instead of the system's.")
    var ca: String?

    @Option(help: "File whose first line is sent as a bearer token, if a proxy requires one.")
    var keyFile: String?

    @OptionGroup var log: LogOptions

    func validate() throws {
        guard (0.1...3_600).contains(interval) else {
            throw ValidationError("--interval is a number of seconds from 0.1 to 3600.")
        }
    }

    func run() throws {
        let view = try view()
        while true {
            Thread.sleep(forTimeInterval: interval)
            let lines: [String]
            do { lines = try view.lines() } catch {
                guard !once else { throw error }
                // It may come back. Until then the viewer sees the reason.
                lines = ["\(error)"]
            }
            try show(view.name, lines)
            if once { return }
        }
    }

    /// Replaces the last table in a terminal; otherwise follows it.
    private func show(_ name: String, _ lines: [String]) throws(CommandLineError) {
        let text = (["Flipside at \(name)", ""] + lines).joined(separator: "\n") + "\n"
        let isTerminal = isatty(1) == 1 && !once
        // ECMA-48: moves the cursor to the corner and erases everything after it.
        print(isTerminal ? "\u{1B}[H\u{1B}[J" + text : text + (once ? "" : "\n"), terminator: "")
        try StandardStreams.flush()
    }

    private func view() throws -> any TopView {
        if let url {
            var request = OneRequest(endpoint: try url.endpoint(trusting: ca), method: "GET", target: "/metrics")
            if let keyFile { request.headers = ["Authorization": "Bearer \(try Self.key(in: keyFile))"] }
            return try HubView(AskedHub(name: url.text, request: request))
        }
        if case .postgreSQL(let address) = try log.address() { return try ClusterView(of: log, at: address) }
        return try HubView(AskedHub(name: try log.address().shown, note: try log.operatorNote()))
    }

    private static func key(in path: String) throws -> String {
        let text: String
        do { text = try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw CommandLineError("The key in \(path) cannot be read.")
        }
        let line = text.prefix { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
        // The characters of a token (RFC 6750 section 2.1).
        guard !line.isEmpty, line.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-._~+/=".contains($0)) })
        else { throw CommandLineError("The first line of \(path) is not a token.") }
        return line
    }
}
