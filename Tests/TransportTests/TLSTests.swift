import Cryptography
import Foundation
import TestSupport
import Testing
import WebProtocols

@testable import Transport

@Suite("TLS over real sockets") struct TLSTests {
    /// A certificate for localhost and its key, created once.
    private static let files = TLSFiles.forLocalhost()

    /// Whether a command succeeds.
    private static func run(_ command: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }

    private func server(_ change: (inout TransportOptions) -> Void = { _ in }) throws -> EchoServer {
        let files = try #require(Self.files)
        return try EchoServer {
            $0.tls = TLSOptions(pairs: [files])
            change(&$0)
        }
    }

    /// The first bytes of a client that speaks TLS.
    private func clientHello() throws -> [UInt8] {
        let session = try #require(TLSSession(try TLSContext(trusting: .anyone)))
        let nothing: [UInt8] = []
        var plain = [UInt8](repeating: 0, count: TLSSession.heldBytes)
        var encrypted = [UInt8](repeating: 0, count: 65_536)
        let outcome = plain.withUnsafeMutableBytes { plain in
            encrypted.withUnsafeMutableBytes { encrypted in
                var plain = plain.mutableBytes
                var encrypted = encrypted.mutableBytes
                return session.decrypt(nothing.span.bytes, into: &plain, encrypted: &encrypted)
            }
        }
        return Array(encrypted[..<outcome.encryptedBytes])
    }

    @Test("half a handshake is given up after its time, and no one else waits", arguments: [0, 1, 50])
    func half(count: Int) throws {
        let server = try server { $0.handshakeTime = .milliseconds(50) }
        let client = try server.client()
        try client.send(Array(try clientHello().prefix(count)))
        #expect(try client.receiveAll() == [])
    }

    @Test("a client without TLS gets an alert and the end")
    func garbage() throws {
        let server = try server()
        let client = try server.client()
        try client.send([0x16, 0x03, 0x01, 0x00, 0x05, 1, 2, 3, 4, 5] + [UInt8](repeating: 0xEE, count: 100))
        #expect(try client.receiveAll().first == 21)
    }

    @Test("a client that speaks HTTP to a TLS port gets an HTTP answer that says so")
    func plainHTTP() throws {
        let server = try server()
        let client = try server.client()
        try client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        let answer = String(decoding: try client.receiveAll(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 400 "))
        #expect(answer.contains("tls-required"))
    }

    @Test("an address without TLS works next to one with TLS")
    func plainAddress() throws {
        let server = try server { $0.operatorAddress = ListenAddress(host: "127.0.0.1", port: 0) }
        let plain = try TestClient(port: try #require(server.transport.operatorPort))
        try plain.send("GET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        let answer = String(decoding: try plain.receiveAll(), as: UTF8.self)
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("/here"))
        let encrypted = try server.client()
        try encrypted.send(try clientHello())
        encrypted.endOutput()
        #expect(try encrypted.receiveAll().first == 22)
    }

    @Test("answers over TLS have Strict-Transport-Security, and plain ones do not")
    func strictTransport() throws {
        let said = "Strict-Transport-Security: max-age=300\r\n"
        let server = try server {
            $0.transportSecuritySeconds = 300
            $0.operatorAddress = ListenAddress(host: "127.0.0.1", port: 0)
        }
        for request in ["GET /here HTTP/1.1\r\nHost: x\r\n", "GET /echo HTTP/1.1\r\nHost: x\r\n", "nonsense\r\n"] {
            #expect(try ask(server, [], request + "Connection: close\r\n\r\n").contains(said))
        }
        let plain = try TestClient(port: try #require(server.transport.operatorPort))
        try plain.send("GET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        #expect(!String(decoding: try plain.receiveAll(), as: UTF8.self).contains("Strict-Transport"))
        let lost = try server.client()
        try lost.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(!String(decoding: try lost.receiveAll(), as: UTF8.self).contains("Strict-Transport"))
        #expect(try !ask(try self.server(), []).contains("Strict-Transport"))
    }

    @Test("certificates are read again, and new connections are greeted")
    func reload() throws {
        let server = try server()
        try server.transport.reloadCertificates()
        let client = try server.client()
        try client.send(try clientHello())
        client.endOutput()
        #expect(try client.receiveAll().first == 22)
    }

    /// How a client returns: what happens between its two connections, and whether it is recognised.
    struct Return: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var jumps: [Int] = []
        var reloads = false
        let isKnown: Bool
    }

    private static let hour = 3_600_000

    @Test(
        "a returning client is recognised by a ticket",
        arguments: [
            Return(testDescription: "at once", isKnown: true),
            Return(testDescription: "behind a reload", reloads: true, isKnown: true),
            Return(testDescription: "while the next key makes tickets", jumps: [23 * hour], isKnown: true),
            Return(testDescription: "after both keys", jumps: [13 * hour, 12 * hour], isKnown: false),
            Return(testDescription: "after a long quiet", jumps: [48 * hour], isKnown: false),
        ], ["-tls1_2", "-tls1_3"])
    func resumption(coming back: Return, version: String) throws {
        let server = try server()
        let ticket = NSTemporaryDirectory() + "flipside-ticket-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: ticket) }
        #expect(try ask(server, [version, "-sess_out", ticket]).contains("New, TLSv1"))
        for jump in back.jumps {
            server.clock.jump(by: jump)
            // Another client comes, and the keys are checked.
            _ = try ask(server, [version])
        }
        if back.reloads { try server.transport.reloadCertificates() }
        let told = try ask(server, [version, "-sess_in", ticket])
        #expect(told.contains(back.isKnown ? "Reused, TLSv1" : "New, TLSv1"))
    }

    @Test("an OCSP response next to a certificate is stapled until it expires")
    func staple() throws {
        let files = try #require(TLSFiles.forLocalhost())
        // The certificate is its own authority.
        let respond = """
            serial=$(openssl x509 -in "$0" -noout -serial) && \
            printf 'V\\t491231235959Z\\t\\t%s\\tunknown\\t/CN=x\\n' "${serial#*=}" >"$0.index" && \
            openssl ocsp -index "$0.index" -CA "$0" -rsigner "$0" -rkey "$1" -issuer "$0" -cert "$0" \
            -respout "$0.ocsp" -ndays 2 -noverify
            """
        #expect(Self.run(["bash", "-c", respond, files.certificate, files.key]))
        // Its clock is before the response's start, which is for the client to judge.
        let server = try EchoServer { $0.tls = TLSOptions(pairs: [files]) }
        #expect(try ask(server, ["-status"]).contains("Cert Status: good"))
        // By this clock the certificate is not valid yet either.
        let early = "a certificate is not valid yet: clients refuse it"
        #expect(server.transport.certificateNotes.map(\.message) == [early])
        let century = 100 * 365 * 24 * Self.hour
        server.clock.jump(by: century)
        #expect(try ask(server, ["-status"]).contains("no response sent"))
        try server.transport.reloadCertificates()
        let file = files.certificate + ".ocsp"
        #expect(server.transport.certificateNotes.first?.reason == "the OCSP response in \(file) has expired")
        let expired = "a certificate has expired: clients refuse it"
        #expect(server.transport.certificateNotes.map(\.message) == ["an OCSP response is not stapled", expired])
    }

    /// The output of `openssl s_client` for a session with one request. Tickets have arrived before its answer.
    private func ask(
        _ server: EchoServer, _ options: [String],
        _ request: String = "GET /here HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
    ) throws -> String {
        let client = Process()
        client.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        client.arguments = ["openssl", "s_client", "-connect", "127.0.0.1:\(server.port)", "-ign_eof"] + options
        let (input, output) = (Pipe(), Pipe())
        (client.standardInput, client.standardOutput) = (input, output)
        client.standardError = FileHandle.nullDevice
        try client.run()
        input.fileHandleForWriting.write(Data(request.utf8))
        try input.fileHandleForWriting.close()
        let told = output.fileHandleForReading.readDataToEndOfFile()
        client.waitUntilExit()
        return String(decoding: told, as: UTF8.self)
    }
}
