import Testing

@testable import EventStore

@Suite("Addresses of logs") struct LogAddressTests {
    @Test(
        "an address names an engine and the place of the log",
        arguments: [
            ("sqlite:./data", LogAddress.sqlite(folder: "./data")),
            ("sqlite:/var/lib/f", .sqlite(folder: "/var/lib/f")),
            ("sqlite:///var/lib/f", .sqlite(folder: "/var/lib/f")),
            ("postgresql://ada@db/games", .postgreSQL("postgresql://ada@db/games")),
            ("postgres:///games", .postgreSQL("postgres:///games")),
        ])
    func reads(text: String, address: LogAddress) { #expect(LogAddress(text) == address) }

    @Test(
        "anything else is not an address",
        arguments: ["", "data", "sqlite:", "sqlite://host/x", "mysql://db", "postgresql:games"])
    func refuses(text: String) { #expect(LogAddress(text) == nil) }

    @Test("a password is not shown") func hides() {
        #expect(LogAddress("postgresql://ada:s3cret@db:5433/games")?.shown == "postgresql://db:5433/games")
        #expect(LogAddress("postgresql://ada:s3cret@[x/games")?.shown == "the address given")
    }

    @Test(
        "a badly escaped password is not shown, not even in part",
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

    @Test("an escaped password is read", arguments: ["s3%40cret", "s3%2Fcret", "s3%3Fcret"]) func escaped(
        password: String
    ) {
        #expect(LogAddress("postgresql://ada:\(password)@db/games")?.shown == "postgresql://db/games")
    }
}
