import Testing

@testable import WebProtocols

@Suite("IP addresses and their blocks") struct IPAddressTests {
    @Test(
        "an address is read, and written in one way (RFC 5952)",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
            ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"), ("::", "::"), ("::1", "::1"),
            ("1::", "1::"), ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8::0001", "2001:db8::1"),
            ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"),
            ("1::3:4:5:6:7:8", "1:0:3:4:5:6:7:8"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"),
        ])
    func reads(text: String, written: String) {
        #expect(IPAddress(text)?.description == written)
    }

    @Test(
        "an invalid address is refused",
        arguments: [
            "", " ", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "1.2.3.04", "1.2.3.", "1..2.3", "+1.2.3.4",
            "1.2.3.4 ",
            "0x1.2.3.4", "1.2.3.4:80", "localhost", "٣.2.3.4", ":", ":::", "1:", ":1", "1:2:3:4:5:6:7", "::1::2",
            "1:2:3:4:5:6:7:8:9", "1:2:3:4::5:6:7:8", "12345::", "g::", "::1%eth0", "[::1]", "::+1", "1.2.3.4::",
            "1.2.3.4:1:2:3:4:5:6", "::1.2.3", "::1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:1.2.3.4", "::٣",
        ])
    func refuses(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("one customer has an IPv4 address or 64 bits of IPv6")
    func networks() {
        let networks = ["192.0.2.1", "::ffff:192.0.2.1", "2001:db8:1:2:3:4:5:6"].compactMap { IPAddress($0)?.network }
        #expect(networks.map(\.description) == ["192.0.2.1", "192.0.2.1", "2001:db8:1:2::"])
        #expect(
            ["127.0.0.1", "::1", "127.0.0.2", "::2"].map { IPAddress($0)?.isLoopback } == [true, true, false, false])
    }

    struct Block: Sendable, CustomTestStringConvertible {
        let text: String
        let inside: [String]
        let outside: [String]
        var testDescription: String { text }
    }

    @Test(
        "a block contains its first and last address, and none outside them",
        arguments: [
            Block(text: "10.0.0.0/8", inside: ["10.0.0.0", "10.255.255.255"], outside: ["9.255.255.255", "11.0.0.0"]),
            Block(
                text: "::ffff:10.0.0.0/104", inside: ["10.0.0.0", "::ffff:10.9.9.9"], outside: ["11.0.0.0", "::a00:0"]),
            Block(text: "192.0.2.4/31", inside: ["192.0.2.4", "192.0.2.5"], outside: ["192.0.2.3", "192.0.2.6"]),
            Block(text: "192.0.2.4/32", inside: ["192.0.2.4"], outside: ["192.0.2.3", "192.0.2.5"]),
            Block(
                text: "192.0.2.4", inside: ["192.0.2.4", "::ffff:192.0.2.4"], outside: ["192.0.2.5", "::192.0.2.4"]),
            Block(text: "0.0.0.0/0", inside: ["0.0.0.0", "255.255.255.255"], outside: ["::", "2001:db8::"]),
            Block(text: "::/0", inside: ["::", "ffff::", "192.0.2.4"], outside: []),
            Block(
                text: "2001:db8::/32", inside: ["2001:db8::", "2001:db8:ffff::1"], outside: ["2001:db9::", "10.0.0.1"]),
            Block(text: "2001:db8::1/128", inside: ["2001:db8::1"], outside: ["2001:db8::", "2001:db8::2"]),
            Block(text: "::1", inside: ["0:0::1"], outside: ["::", "127.0.0.1"]),
        ])
    func blocks(row: Block) throws {
        let block = try #require(AddressBlock(row.text))
        #expect(try row.inside.map { block.contains(try #require(IPAddress($0))) }.allSatisfy { $0 })
        #expect(try !row.outside.map { block.contains(try #require(IPAddress($0))) }.contains(true))
        #expect(AddressBlock(block.description) == block)
    }

    @Test(
        "an invalid block, or one with bits after its length, is refused",
        arguments: [
            "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/08", "10.0.0.0/+8", "10.0.0.0/-1", "10.0.0.0/8/8",
            "10.0.0.1/8", "10.0.0.0/1e1", "010.0.0.0/8", "10.0.0/8", "::/129", "::1/127", "2001:db8::1/64", "a.example",
            "::ffff:10.0.0.1/104", "10.0.0.0 /8", "*",
        ])
    func noBlocks(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
