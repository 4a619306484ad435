import Testing

@testable import flipside

@Suite("The options of serve") struct ServeSettingsTests {
    private func settings(_ arguments: [String], _ environment: [String: String] = [:]) throws -> ServeSettings {
        try ServeSettings(try Serve.parse(arguments), environment: environment)
    }

    @Test("each can be given by the environment")
    func environment() throws {
        let settings = try settings(
            [],
            [
                "FLIPSIDE_LISTEN": "127.0.0.1:1,[::1]:2", "FLIPSIDE_DATA": "/data", "FLIPSIDE_WEB": "/web",
                "FLIPSIDE_TLS_CERT": "cert", "FLIPSIDE_TLS_KEY": "key", "FLIPSIDE_LOOPS": "3",
                "FLIPSIDE_ECHO": "/echo", "FLIPSIDE_CONNECTIONS": "40", "FLIPSIDE_CONNECTIONS_PER_ADDRESS": "50",
                "FLIPSIDE_MESSAGES_PER_SECOND": "60", "FLIPSIDE_THINK_TIME": "0", "FLIPSIDE_LOG_LEVEL": "error",
            ])
        let transport = settings.options.transport
        #expect(transport.addresses.map(\.port) == [1, 2])
        #expect(transport.tls?.certificate == "cert" && transport.tls?.key == "key")
        #expect(transport.loops == 3)
        #expect((transport.connectionLimit, transport.connectionsPerAddress) == (40, 50))
        #expect(settings.options.dataFolder == "/data" && settings.options.webFolder == "/web")
        #expect(settings.options.echoPath == "/echo")
        #expect(settings.options.limits.messagesPerSecond == 60 && settings.options.limits.thinkTime == 0)
        #expect(settings.logLevel == .error)
    }

    @Test("an option counts more than the environment")
    func precedence() throws {
        let settings = try settings(
            ["--listen", "127.0.0.1:9", "--data", "here", "--loops", "2"],
            ["FLIPSIDE_LISTEN": "127.0.0.1:1", "FLIPSIDE_DATA": "there", "FLIPSIDE_LOOPS": "nonsense"])
        #expect(settings.options.transport.addresses.map(\.port) == [9])
        #expect(settings.options.dataFolder == "here")
        #expect(settings.options.transport.loops == 2)
    }

    @Test("without any, the hub is for this machine alone")
    func defaults() throws {
        let options = try settings([]).options
        #expect(options.transport.addresses.map(\.host) == ["127.0.0.1", "::1"])
        #expect(options.transport.addresses.map(\.port) == [8080, 8080])
        #expect(options.transport.tls == nil && options.echoPath == nil)
    }

    @Test(
        "what does not fit is named as it was given",
        arguments: [
            ([], ["FLIPSIDE_LOOPS": "many"], "FLIPSIDE_LOOPS is `many`; it is a number from 1 to 256."),
            (["--loops", "0"], [:], "--loops is `0`; it is a number from 1 to 256."),
            ([], ["FLIPSIDE_LISTEN": "here"], "`here` is no address to listen on: HOST:PORT or [IPv6]:PORT."),
            ([], ["FLIPSIDE_TLS_KEY": "key"], "--tls-cert and --tls-key are given together or not at all."),
            (["--echo", "echo"], [:], "The path of the echo begins with a slash: /echo."),
            (
                ["--log-level", "loud"], [:],
                "`loud` is no log level: trace, debug, info, notice, warning, error, critical."
            ),
        ] as [([String], [String: String], String)])
    func complaints(arguments: [String], environment: [String: String], sentence: String) {
        let complaint = #expect(throws: Complaint.self) { try settings(arguments, environment) }
        #expect(complaint?.description == sentence)
    }
}
