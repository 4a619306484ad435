import Testing

@testable import Cryptography

@Suite("Digests and encodings") struct CryptographyTests {
    @Test(
        "SHA-256 gives the results of FIPS 180-4 and its examples",
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
        ])
    func sha256(_ text: String, _ hex: String) {
        #expect(SHA256.digest(of: text).hex == hex)
        // The same in two parts, by a used context.
        let hasher = SHA256()
        hasher.update("something else")
        _ = hasher.finish()
        let bytes = Array(text.utf8)
        hasher.update(Array(bytes.prefix(bytes.count / 2)))
        hasher.update(Array(bytes.suffix(bytes.count - bytes.count / 2)))
        #expect(hasher.finish().hex == hex)
    }

    @Test("SHA-1 gives the result of RFC 3174")
    func sha1OfABC() { #expect(sha1(Array("abc".utf8)).hex == "a9993e364706816aba3e25717850c26c9cd0d89d") }

    @Test(
        "HMAC with SHA-256 gives the results of RFC 4231",
        arguments: [
            // Sections 4.2, 4.3 and 4.7.
            (
                [UInt8](repeating: 0x0B, count: 20), "Hi There",
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), "what do ya want for nothing?",
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
        ])
    func hmac(_ key: [UInt8], _ text: String, _ hex: String) throws {
        let code = hmacSHA256(key: key, Array(text.utf8))
        #expect(code.hex == hex)
        #expect(code.isSame(as: try #require(Digest(hex: hex))))
        for index in 0..<Digest.size {
            var bytes = code.bytes
            bytes[index] ^= 1
            #expect(!code.isSame(as: try #require(Digest(bytes: bytes))))
        }
    }

    @Test(
        "base64 is as in RFC 4648 section 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func base64(_ text: String, _ encoded: String) {
        #expect(Array(text.utf8).base64 == encoded)
        #expect([UInt8](base64: encoded) == Array(text.utf8))
        let url = String(encoded.prefix { $0 != "=" })
        #expect(Array(text.utf8).base64URL == url)
        #expect([UInt8](base64URL: url) == Array(text.utf8))
    }

    @Test(
        "base64 that is not canonical is refused",
        arguments: ["Z", "Zg", "Zh==", "Zg=", "Z===", "Zm9v=", "Zm 9", "Zm9-"])
    func notBase64(_ text: String) { #expect([UInt8](base64: text) == nil) }

    @Test("base64url that is not canonical is refused", arguments: ["Z", "Zh", "Zg==", "Zm+v", "Zm9/"])
    func notBase64URL(_ text: String) { #expect([UInt8](base64URL: text) == nil) }

    @Test(
        "hexadecimal is read and written",
        arguments: [("", []), ("00ff", [0, 255]), ("0A1b", [10, 27])] as [(String, [UInt8])])
    func hex(_ text: String, _ bytes: [UInt8]) {
        #expect([UInt8](hex: text) == bytes)
        #expect(bytes.hex == text.lowercased())
    }

    @Test("text that is not hexadecimal is refused", arguments: ["0", "0g", "é0", " 00"])
    func notHex(_ text: String) { #expect([UInt8](hex: text) == nil) }

    @Test("a digest is 32 bytes, in any of its forms")
    func forms() {
        let digest = SHA256.digest(of: "abc")
        #expect(Digest(bytes: digest.bytes) == digest)
        #expect(Digest(hex: digest.hex) == digest)
        #expect(Digest(bytes: digest.bytes.dropLast()) == nil)
        #expect(Digest(hex: digest.hex + "00") == nil)
    }

    @Test("random bytes have the requested number, and differ")
    func random() {
        #expect(randomBytes(32).count == 32)
        #expect(randomBytes(32) != randomBytes(32))
    }
}
