import Testing

@testable import EventStore

@Suite("Addresses of logs") struct LogAddressTests {
    @Test(
        "an engine and where it has the log",
        arguments: [
            ("sqlite:./data", LogAddress.sqlite(folder: "./data")),
            ("sqlite:/var/lib/f", .sqlite(folder: "/var/lib/f")),
            ("sqlite:///var/lib/f", .sqlite(folder: "/var/lib/f")),
            ("postgresql://ada@db/games", .postgreSQL("postgresql://ada@db/games")),
            ("postgres:///games", .postgreSQL("postgres:///games")),
        ])
    func reads(text: String, address: LogAddress) { #expect(LogAddress(text) == address) }

    @Test(
        "anything else is none",
        arguments: ["", "data", "sqlite:", "sqlite://host/x", "mysql://db", "postgresql:games"])
    func refuses(text: String) { #expect(LogAddress(text) == nil) }

    @Test("nobody is shown a password") func hides() {
        #expect(LogAddress("postgresql://ada:s3cret@db:5433/games")?.shown == "postgresql://db:5433/games")
        #expect(LogAddress("postgresql://ada:s3cret@[x/games")?.shown == "the address given")
    }

    @Test(
        "nobody is shown a part of a password that is not written as an address has it",
        arguments: [
            "postgresql://ada:s3@cret@db/games", "postgresql://ada:s3/cret@db/games", "postgresql://ada:s3cret1",
            "postgresql://ada:s3?cret@x@db/games", "postgresql://ada@db/games?password=s3@cret",
        ])
    func hidesParts(text: String) throws {
        #expect(LogAddress(text)?.shown == "the address given")
        let error = #expect(throws: EventLogError.self) { try DatabaseAddress(text) }
        let sentence = try #require(error?.sentence)
        #expect(!sentence.contains("cret") && !sentence.contains("s3"))
    }

    @Test("an escaped one is read", arguments: ["s3%40cret", "s3%2Fcret", "s3%3Fcret"]) func escaped(password: String) {
        #expect(LogAddress("postgresql://ada:\(password)@db/games")?.shown == "postgresql://db/games")
    }
}
