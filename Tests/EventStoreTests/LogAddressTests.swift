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
}
