import Foundation
import Testing

@testable import EventStore

/// The tests' own PostgreSQL server: in a new folder, on a socket in it. It ends with the process that started it,
/// however that ends.
final class PostgreSQLServer: Sendable {
    /// For all tests except those that stop it. Each has its own schema in it.
    static let shared = Result { try PostgreSQLServer() }

    /// Where the server's programs are, 15 or later; nil if there are none.
    static let programs: String? = {
        let root = "/usr/lib/postgresql/"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []  // No such folder: none.
        let newest = versions.compactMap(Int.init).filter { $0 >= 15 }.max().map { "\(root)\($0)/bin/" }
        let folders = [newest].compactMap { $0 } + ["/usr/bin/", "/usr/local/bin/", "/usr/local/pgsql/bin/"]
        return folders.first { FileManager.default.isExecutableFile(atPath: $0 + "pg_ctl") }
    }()

    static let missing: Comment = "no PostgreSQL server is installed: scripts/setup --tests installs one"

    let folder: String
    private let keeper: Process
    /// The keeper stops the server once this is closed.
    private let life = Pipe()
    private let output = Pipe()

    /// `isDurable`: as after an operator's `initdb`; otherwise without syncs to disk.
    init(isDurable: Bool = false) throws {
        let programs = try #require(PostgreSQLServer.programs, PostgreSQLServer.missing)
        folder = "/tmp/flipside-pg-" + UUID().uuidString.prefix(8)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let settings = [
            "listen_addresses=", "unix_socket_directories=\(folder)", "max_connections=200", "shared_buffers=32MB",
            "autovacuum=off",
        ]
        let quick = isDurable ? [] : ["fsync=off", "synchronous_commit=on", "full_page_writes=off"]
        let options = (settings + quick).map { "-c \($0)" }.joined(separator: " ")
        let script = """
            cd '\(folder)'
            '\(programs)initdb' -D data -A trust -U flipside -E UTF8 --no-locale --no-sync >out 2>&1 || cat out
            while read -r mode; do
                case $mode in
                start) '\(programs)pg_ctl' -D data -w -l log -o "\(options)" start ;;
                *) '\(programs)pg_ctl' -D data -w -m "$mode" stop ;;
                esac >out 2>&1 </dev/null && echo done || cat out log
            done
            exec >/dev/null
            '\(programs)pg_ctl' -D data -m immediate stop 2>&1
            rm -rf '\(folder)'
            """
        keeper = PostgreSQLServer.process(["/bin/sh", "-c", script], owning: folder)
        (keeper.standardInput, keeper.standardOutput) = (life, output)
        try keeper.run()
        try start()
    }

    deinit { try? life.fileHandleForWriting.close() }  // The process closes it anyway.

    var address: String { "postgresql://flipside@/postgres?host=\(folder)" }

    /// Stops it as in a power loss, or in another `mode` of `pg_ctl`.
    func stop(_ mode: String = "immediate") throws { try order(mode) }

    func start() throws { try order("start") }

    private func order(_ word: String) throws {
        try life.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
        let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        try #require(answer == "done\n", "\(answer)")
    }

    /// The server refuses to run as root.
    private static func process(_ arguments: [String], owning folder: String?) -> Process {
        let process = Process()
        guard getuid() == 0, let user = getpwnam("postgres") ?? getpwnam("nobody") else {
            process.executableURL = URL(fileURLWithPath: arguments[0])
            process.arguments = Array(arguments.dropFirst())
            return process
        }
        if let folder { chown(folder, user.pointee.pw_uid, user.pointee.pw_gid) }
        process.executableURL = URL(fileURLWithPath: "/usr/bin/setpriv")
        let rights = ["--reuid=\(user.pointee.pw_uid)", "--regid=\(user.pointee.pw_gid)", "--clear-groups"]
        process.arguments = rights + arguments
        return process
    }
}

extension Trait where Self == ConditionTrait {
    static var needsServer: Self { .enabled(if: PostgreSQLServer.programs != nil, PostgreSQLServer.missing) }
}

extension PostgreSQLServer {
    /// Stops the clock of leases at `time`.
    func setClock(of place: Place, to time: Int) throws {
        try run(
            "CREATE OR REPLACE FUNCTION @.clock() RETURNS bigint LANGUAGE sql AS 'SELECT \(time)::bigint'", in: place)
    }

    /// Runs SQL in a session next to the log's, which it returns. `@` stands for the place's schema.
    @discardableResult
    func run(_ sql: String, in place: Place) throws -> ServerConnection {
        let connection = try connect()
        try connection.run(sql.replacing("@", with: place.schema))
        return connection
    }

    /// A session next to the log's.
    func connect() throws -> ServerConnection {
        try ServerConnection(to: DatabaseAddress(address), settings: "SET client_min_messages = error")
    }
}

extension ServerConnection {
    /// The first column of the first row, as a text; nil if there is none.
    func text(_ sql: String) throws -> String? {
        let statement = PreparedStatement("", "SELECT (\(sql))::text")
        try prepare([statement])
        let rows = try rows(of: statement)
        return rows.count == 0 || rows.isNull(0, 0) ? nil : rows.text(0, 0)
    }
}
