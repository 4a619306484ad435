import Cryptography
import TestSupport
import Testing

@testable import Transport

@Suite("A client's connection over TLS") struct ClientTLSTests {
    /// Two self-signed certificates for localhost, 127.0.0.1 and ::1, and their keys, created once.
    private static let pairs = (TLSFiles.forLocalhost(), TLSFiles.forLocalhost())

    private func server(at host: String = "127.0.0.1", clients: TLSFiles? = nil) throws -> EchoServer {
        let pair = try #require(Self.pairs.0)
        return try EchoServer {
            $0.addresses = [ListenAddress(host: host, port: 0)]
            $0.tls = TLSOptions(pairs: [pair], clientAuthority: clients?.certificate)
        }
    }

    private func visit(_ host: String, _ server: EchoServer, _ tls: TLSContext) throws -> [String] {
        let piece = [UInt8](repeating: 7, count: 60_000)
        return try Visits().visit(
            ClientEndpoint(host: host, port: server.port, tls: tls), begin: { $0.ask("GET", "/a") },
            on: [
                "200 /a": { $0.upgrade("/echo") }, "upgraded": { $0.send(.binary, piece.span.bytes) },
                "binary of 60000": { $0.close(.normal, "") },
            ])
    }

    private static let good = [
        "connected", "200 /a", "upgraded", "binary of 60000", "\(ClientEnd.closed(.normal, reason: ""))",
    ]

    @Test("a server is trusted by a name and by an address of its certificate", arguments: ["localhost", "127.0.0.1"])
    func trusted(host: String) throws {
        let pair = try #require(Self.pairs.0)
        let notes = try visit(host, server(), TLSContext(trusting: .authority(path: pair.certificate)))
        #expect(notes == Self.good)
    }

    @Test("a certificate of another name proves nothing")
    func wrongName() throws {
        let pair = try #require(Self.pairs.0)
        let notes = try visit(
            "127.0.0.2", server(at: "127.0.0.2"), TLSContext(trusting: .authority(path: pair.certificate)))
        let error = ClientError.untrusted(host: "127.0.0.2", reason: "IP address mismatch")
        #expect(notes == ["\(ClientEnd.failed(error))"])
    }

    @Test("a certificate without a trusted signature proves nothing", arguments: [true, false])
    func untrusted(bySystem: Bool) throws {
        let other = try #require(Self.pairs.1)
        let trust = bySystem ? TLSTrust.system : .authority(path: other.certificate)
        let notes = try visit("localhost", server(), TLSContext(trusting: trust))
        #expect(notes.count == 1 && notes[0].contains("untrusted(host: \"localhost\", reason: \"self"))
    }

    @Test("a client shows its own certificate if asked")
    func clientCertificate() throws {
        let (pair, own) = (try #require(Self.pairs.0), try #require(Self.pairs.1))
        let trust = TLSTrust.authority(path: pair.certificate)
        #expect(try visit("localhost", server(clients: own), TLSContext(trusting: trust, showing: own)) == Self.good)
        // With TLS 1.3 a client may continue before the server has seen that there is no certificate.
        let notes = try visit("localhost", server(clients: own), TLSContext(trusting: trust))
        #expect(notes.last == "\(ClientEnd.failed(.tls(reason: "tlsv13 alert certificate required")))")
    }

    @Test("a server without TLS is refused, and bad files are named before anyone connects")
    func noTLS() throws {
        let pair = try #require(Self.pairs.0)
        let server = try EchoServer()
        let context = try TLSContext(trusting: .authority(path: pair.certificate))
        let notes = try visit("localhost", server, context)
        #expect(notes.count == 1 && notes[0].contains("tls(reason:"))
        #expect(throws: TLSError.notACertificate(path: pair.key)) {
            try TLSContext(trusting: .authority(path: pair.key))
        }
    }
}
