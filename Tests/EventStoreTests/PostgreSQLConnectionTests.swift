import Foundation
import Testing

@testable import EventStore

@Suite("PostgreSQL: the connection", .needsServer)
struct PostgreSQLConnectionTests {
    @Test("the tests have their own server, which no network reaches") func isOurs() throws {
        let server = try PostgreSQLServer.shared.get()
        #expect(try server.connect().text("current_setting('listen_addresses')") == "")
        #expect(try server.connect().text("current_setting('unix_socket_directories')") == server.folder)
    }

    @Test(
        "an address is shown without user and password",
        arguments: [
            ("postgresql://ada:s3cret@db.example:5433/games?sslmode=require", "postgresql://db.example:5433/games"),
            ("postgres://ada@/games?host=/run/pg&password=s3cret", "postgresql:///games?host=/run/pg"),
            ("host=db.example dbname=games password=s3cret", "postgresql://db.example/games"),
            ("postgresql://ada:s3cret@one,two/games", "postgresql://one,two/games"),
        ])
    func showsNoPassword(address: String, shown: String) throws {
        let address = try DatabaseAddress(address)
        #expect(address.shown == shown)
        #expect(address.redact("FATAL:  it is not\n \"s3cret\"\n") == "FATAL:  it is not;  \"…\"")
    }

    @Test(
        "an invalid address is refused without being repeated",
        arguments: ["postgresql://ada:s3cret@[db/games", "ada s3cret", "postgresql://ada:s3cret@db/games?nonsense=1"])
    func refusesNonsense(address: String) {
        #expect {
            try DatabaseAddress(address)
        } throws: { error in
            !"\(error)".contains("s3cret") && (error as? EventLogError)?.sentence.contains("postgresql://USER@") == true
        }
    }

    private static let authorities = ("sslrootcert", "/etc/ssl/certs/ca-certificates.crt")

    @Test(
        "a remote server proves its identity, unless the address asks for less",
        arguments: [
            ("postgresql://db.example/games", [:], [("sslmode", "verify-full"), authorities], nil),
            ("postgresql://localhost,db.example/games", [:], [("sslmode", "verify-full"), authorities], nil),
            ("postgresql://db.example/games?sslmode=verify-full", [:], [authorities], nil),
            ("postgresql://db.example/games?sslrootcert=/ca", [:], [("sslmode", "verify-full")], nil),
            ("postgresql://db.example/games?sslmode=require", [:], [], "require"),
            ("postgresql://db.example/games", ["PGSSLMODE": "disable"], [], "disable"),
            ("postgresql:///games", ["PGHOST": "db.example"], [("sslmode", "verify-full"), authorities], nil),
            ("postgresql://localhost/games", [:], [], nil), ("postgresql://127.0.0.1:5433/games", [:], [], nil),
            ("postgresql:///games?host=/run/pg&sslmode=disable", [:], [], nil), ("postgresql:///games", [:], [], nil),
        ] as [(String, [String: String], [(String, String)], String?)])
    func isProtected(
        address: String, environment: [String: String], settings: [(String, String)], weak: String?
    ) throws {
        let said = try #require(DatabaseAddress.settings(of: address))
        let protection = DatabaseProtection(
            said, environment: { environment[$0] }, isThere: { $0.hasPrefix("/etc/ssl") })
        #expect(protection.settings.map { "\($0)=\($1)" } == settings.map { "\($0)=\($1)" })
        #expect(protection.weakMode == weak)
    }

    @Test("values come back byte for byte")
    func roundTrips() throws {
        let connection = try PostgreSQLServer.shared.get().connect()
        let numbers = [Int.min, -1, 0, 255, 256, .max]
        let blobs: [[UInt8]?] = [[], [0, 255, 0], nil, [UInt8](repeating: 7, count: 100_000)]
        let statement = PreparedStatement(
            "echo",
            """
            SELECT $1::bigint, $2::bytea, $3::text, $4::bigint[], $5::bytea, cardinality($6::bytea[]), a, b,
            $8::bytea FROM unnest($6::bytea[], $7::text[]) u (a, b)
            """)
        try connection.prepare([statement])
        for number in numbers {
            var values = BinaryValues()
            values.add(number)
            values.add([UInt8]())
            values.add("Ω’s")
            values.add(numbers)
            values.addNull()
            values.add(blobs)
            values.add(texts: ["", "é", "x", "y"])
            values.add([0] as [UInt8])
            try connection.send(statement, values)
            let rows = try connection.finish()[0]
            #expect(rows.count == 4 && rows.integer(0, 0) == number && rows.bytes(0, 1).isEmpty)
            #expect(!rows.isNull(0, 1) && rows.isNull(0, 4) && rows.text(0, 2) == "Ω’s" && rows.bytes(0, 8) == [0])
            #expect(rows.integers(0, 3) == numbers && rows.integer(0, 5) == 4)
            #expect((0..<4).map { rows.isNull($0, 6) ? nil : rows.bytes($0, 6) } == blobs)
            #expect((0..<4).map { rows.text($0, 7) } == ["", "é", "x", "y"])
        }
    }

    @Test("an empty array comes back empty") func sendsEmptyArray() throws {
        let connection = try PostgreSQLServer.shared.get().connect()
        let statement = PreparedStatement("", "SELECT $1::bigint[], cardinality($1)::int8, NULL::bigint[]")
        try connection.prepare([statement])
        let rows = try connection.rows(of: statement, .integers([]))
        #expect(rows.integers(0, 0) == [] && rows.integer(0, 1) == 0 && rows.integers(0, 2) == [])
    }

    @Test("a pipeline reports its first error, does nothing after it, and leaves the connection usable")
    func tellsFirstError() throws {
        let connection = try PostgreSQLServer.shared.get().connect()
        let divide = PreparedStatement("divide", "SELECT 6 / $1::bigint")
        try connection.prepare([divide])
        for number in [3, 0, 2] { try connection.send(divide, .integer(number)) }
        #expect {
            try connection.finish()
        } throws: { error in
            (error as? PostgreSQLError).map { $0.state == "22012" && !$0.isConnectionLost } == true
        }
        #expect(!connection.isInTransaction && connection.isAlive())
        #expect(try connection.text("1 + 1") == "2")
    }

    @Test("a server that is silent for too long is given up", arguments: ["answering", "connecting"])
    func givesUp(_ moment: String) throws {
        let server = try PostgreSQLServer.shared.get()
        let timeouts = ServerConnection.Timeouts(connectSeconds: 2, answer: .milliseconds(50))
        #expect {
            let settings = moment == "connecting" ? "SELECT pg_sleep(60)" : ""
            let address = try DatabaseAddress(server.address)
            try ServerConnection(to: address, settings: settings, timeouts: timeouts).run("SELECT pg_sleep(60)")
        } throws: { error in
            (error as? PostgreSQLError)?.isConnectionLost == true
        }
    }

    @Test("a session that the server has ended is recognised before it is used") func noticesEnd() throws {
        let server = try PostgreSQLServer.shared.get()
        let (connection, other) = (try server.connect(), try server.connect())
        let process = try #require(try connection.text("pg_backend_pid()"))
        #expect(try other.text("pg_terminate_backend(\(process), 20000)") == "true")
        #expect(!connection.isAlive())
        #expect { try connection.run("SELECT 1") } throws: { ($0 as? PostgreSQLError)?.isConnectionLost == true }
    }
}
