import Logging
import Synchronization
import Testing

@testable import Hub

@Suite("The log as JSON") struct JSONLogLinesTests {
    private final class Lines: Sendable {
        let all = Mutex<[String]>([])
    }

    @Test("a line is one object, whatever is said in it, with the part ahead of the message")
    func line() {
        let lines = Lines()
        let clock = ScriptedTime()
        clock.pass(1_234)
        let base = Logger(label: "test") { _ in
            JSONLogLines(clock) { line in lines.all.withLock { $0.append(String(decoding: line, as: UTF8.self)) } }
        }
        let loggers = HubLoggers(base, levels: [.rooms: .debug])
        loggers.rooms.debug("a \"fault\"\nof two lines", metadata: ["room": "ab\u{1}", "n": .stringConvertible(5)])
        loggers.log.debug("not wanted")
        loggers.hub.notice("é", metadata: ["list": ["a", ["b": "c"]]])
        base.info("of no part")
        let time = "2023-11-14T22:13:21.234Z"
        let wanted: [String] = [
            """
            {"time":"\(time)","level":"debug","part":"rooms","message":"a \\"fault\\"\\u000aof two lines",\
            "metadata":{"n":5,"room":"ab\\u0001"}}

            """,
            """
            {"time":"\(time)","level":"notice","part":"hub","message":"é","metadata":{"list":["a",{"b":"c"}]}}

            """,
            """
            {"time":"\(time)","level":"info","message":"of no part"}

            """,
        ]
        #expect(lines.all.withLock { $0 } == wanted)
    }
}
