import Testing

@testable import Transport

@Suite("Where a server listens") struct ListeningTests {
    @Test("a missing optional address is skipped, but not one that is in use")
    func optionalAddresses() throws {
        // For documentation (RFC 3849).
        let missing = ListenAddress(host: "2001:db8::1", port: 0)
        let server = try EchoServer {
            $0.addresses.insert(missing, at: 0)
            $0.optionalAddresses = [missing]
        }
        #expect(server.transport.addresses.map(\.host) == ["127.0.0.1"])
        #expect(server.transport.missingAddresses.count == 1)
        #expect(throws: TransportError.self) { _ = try EchoServer { $0.addresses.append(missing) } }
        let taken = ListenAddress(host: "127.0.0.1", port: server.port)
        #expect(throws: TransportError.portInUse(taken)) {
            _ = try EchoServer { ($0.addresses, $0.optionalAddresses) = ([taken], [taken]) }
        }
    }
}
