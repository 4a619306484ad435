import Foundation
import Logging
import Testing
import Threads

@testable import Hub
@testable import Rooms

@Suite("Lines of the log") struct LogLinesTests {
    private static let time = "2023-11-14T22:13:21.234Z"

    /// The lines in a pipe after `body` has used the loggers.
    private func written(_ format: LogFormat, lineLimit: Int = 100, _ body: (HubLoggers, Logger) -> Void) throws
        -> [String]
    {
        let clock = ScriptedTime()
        clock.pass(1_234)
        let pipe = Pipe()
        let output = try LogOutput(
            format, clock, descriptor: pipe.fileHandleForWriting.fileDescriptor, lineLimit: lineLimit)
        let base = Logger(label: "test") { _ in LogLines(output) }
        body(HubLoggers(base, levels: [.rooms: .debug]), base)
        output.close()
        try pipe.fileHandleForWriting.close()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map { String($0) }
    }

    @Test("as JSON a line is one object with any content, and the part before the message")
    func json() throws {
        let lines = try written(.json) { loggers, base in
            loggers.rooms.debug("a \"fault\"\nof two lines", metadata: ["room": "ab\u{1}", "n": .stringConvertible(5)])
            loggers.log.debug("not wanted")
            loggers.hub.notice("é", metadata: ["list": ["a", ["b": "c"]]])
            base.info("of no part")
        }
        let wanted = [
            """
            {"time":"\(Self.time)","level":"debug","part":"rooms","message":"a \\"fault\\"\\u000aof two lines",\
            "metadata":{"n":5,"room":"ab\\u0001"}}
            """,
            """
            {"time":"\(Self.time)","level":"notice","part":"hub","message":"é","metadata":{"list":["a",{"b":"c"}]}}
            """,
            """
            {"time":"\(Self.time)","level":"info","message":"of no part"}
            """,
        ]
        #expect(lines == wanted)
    }

    @Test(
        "as text a line stays one line, and no value looks like another",
        arguments: [
            ("b2", #"b2"#), ("", #""""#), ("two words", #""two words""#), ("a=b", #""a=b""#),
            (#"say "x""#, #""say \"x\"""#),
            ("x\n2026 notice hub: all is well", #""x\u{a}2026 notice hub: all is well""#),
            ("\u{1B}[2J", #""\u{1b}[2J""#),
            (#"a\b"#, #""a\u{5c}b""#), ("\u{202E}abc", #""\u{202e}abc""#), ("\u{2028}", #""\u{2028}""#),
            ("\u{85}", #""\u{85}""#), ("Zoë 🦊", #""Zoë 🦊""#),
        ])
    func text(value: String, shown: String) throws {
        let lines = try written(.text) { loggers, _ in
            loggers.hub.notice("a node says hello", metadata: ["node": "\(value)", "count": "3"])
        }
        #expect(lines == ["\(Self.time) notice hub: a node says hello count=3 node=\(shown)"])
    }

    @Test(
        "lines that do not fit are dropped and counted without waiting, and a later line says how many"
    )
    func full() throws {
        let pipe = Pipe()
        let output = try LogOutput(
            .text, ScriptedTime(), descriptor: pipe.fileHandleForWriting.fileDescriptor, lineLimit: 10)
        let logger = Logger(label: "test") { _ in LogLines(output) }
        // More than a pipe holds, while no one reads it.
        for number in 0..<200 { logger.notice("\(number) \(String(repeating: "x", count: 1_000))") }
        let dropped = output.droppedCount
        #expect(dropped > 0)
        let texts = Mailbox<Data>(limit: 1)
        // Its own thread, because tests that compute may occupy all those of tasks.
        Thread.detachNewThread { texts.post((try? pipe.fileHandleForReading.readToEnd()) ?? Data()) }
        output.close(within: .seconds(60))
        try pipe.fileHandleForWriting.close()
        let lines = String(decoding: try #require(texts.takeAll()?.first), as: UTF8.self).split(separator: "\n")
        let missing = lines.compactMap { $0.firstMatch(of: /warning: lines of this log were dropped count=(\d+)$/) }
        #expect(missing.compactMap { Int($0.output.1) }.reduce(0, +) == dropped)
        #expect(lines.count == 200 - dropped + missing.count)
    }

    @Test("without a reader lines are dropped, and nothing else happens")
    func gone() throws {
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let output = try LogOutput(.json, ScriptedTime(), descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let logger = Logger(label: "test") { _ in LogLines(output) }
        for _ in 0..<3 { logger.notice("to nobody") }
        output.close()
        #expect(output.droppedCount == 3)
    }

    @Test("a line that is too long keeps its beginning")
    func long() throws {
        let lines = try written(.json) { loggers, _ in
            loggers.hub.notice("long", metadata: ["reason": "\(String(repeating: "x", count: 20_000))"])
        }
        #expect(lines == [#"{"time":"\#(Self.time)","level":"notice","part":"hub","message":"long…"}"#])
    }
}
