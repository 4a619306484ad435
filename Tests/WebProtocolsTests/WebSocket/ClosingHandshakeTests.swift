import Testing

@testable import WebProtocols

@Suite("Closing handshake, RFC 6455 section 7")
struct ClosingHandshakeTests {
    @Test("Whoever closes sends one frame and waits for theirs")
    func begin() {
        var closing = ClosingHandshake()
        #expect(closing.isOpen && !closing.endsConnection)
        #expect(closing.begin(.goingAway, reason: "later") == .close(.goingAway, reason: "later"))
        #expect(!closing.isOpen && !closing.endsConnection)
        #expect(closing.begin(.normal) == nil)
        #expect(closing.receive(.goingAway) == nil)
        #expect(closing.endsConnection)
    }

    @Test("Their close frame is answered with their code, once")
    func receive() {
        var closing = ClosingHandshake()
        #expect(closing.receive(.normal) == .close(.normal))
        #expect(!closing.isOpen && closing.endsConnection)
        #expect(closing.receive(.normal) == nil)
        #expect(closing.begin(.normal) == nil)
    }

    @Test("A close frame without a code is answered by one without")
    func receiveWithoutCode() {
        var closing = ClosingHandshake()
        #expect(closing.receive(nil) == .close(nil))
    }

    @Test("A violation is told and ends the connection without waiting (section 7.1.7)")
    func fail() {
        var closing = ClosingHandshake()
        #expect(closing.fail(.invalidUTF8) == .close(.invalidPayload, reason: "A text must be UTF-8."))
        #expect(closing.endsConnection && !closing.isOpen)
        #expect(closing.fail(.unmasked) == nil)
    }

    @Test("A violation behind our close frame is not told, but ends the connection")
    func failWhileClosing() {
        var closing = ClosingHandshake()
        _ = closing.begin(.normal)
        #expect(closing.fail(.unmasked) == nil)
        #expect(closing.endsConnection)
    }
}
