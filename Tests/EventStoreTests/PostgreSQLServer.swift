import Foundation
import Testing

@testable import EventStore

/// A PostgreSQL server of the tests' own: in a new folder, on a socket in it, gone with the process that started it
/// however that ends.
final class PostgreSQLServer: Sendable {
    /// For all tests but those that stop it: each has a schema of its own in it.
    static let shared = Result { try PostgreSQLServer() }

    /// Where the server's programs are, 15 or later; nil where there are none.
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

    /// `isDurable`: as after an operator's `initdb`; else without a sync to disk.
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
            '\(programs)initdb' -D data -A trust -U flipside -E UTF8 --no-locale --no-sync >initdb.log 2>&1 &&
            echo "\(options)" >options &&
            '\(programs)pg_ctl' -D data -w -l log -o "$(cat options)" start >pg_ctl.log 2>&1 </dev/null &&
            echo ready || cat initdb.log pg_ctl.log log
            exec >/dev/null
            read -r _
            '\(programs)pg_ctl' -D data -m immediate stop >/dev/null 2>&1
            rm -rf '\(folder)'
            """
        keeper = PostgreSQLServer.process(["/bin/sh", "-c", script], owning: folder)
        let output = Pipe()
        (keeper.standardInput, keeper.standardOutput) = (life, output)
        try keeper.run()
        var said = Data()
        while let more = try output.fileHandleForReading.read(upToCount: 4_096), !more.isEmpty { said += more }
        let problem = String(decoding: said, as: UTF8.self)
        try #require(problem == "ready\n", "\(problem)")
    }

    deinit { try? life.fileHandleForWriting.close() }  // It is closed with the process anyway.

    var address: String { "postgresql://flipside@/postgres?host=\(folder)" }

    /// Stops it as if the power were cut; with `mode` as `pg_ctl` knows it otherwise.
    func stop(_ mode: String = "immediate") throws { try control("stop", "-m", mode) }

    func start() throws { try control("start", "-o", String(contentsOfFile: folder + "/options", encoding: .utf8)) }

    private func control(_ arguments: String...) throws {
        let programs = try #require(PostgreSQLServer.programs)
        let control = PostgreSQLServer.process(
            [programs + "pg_ctl", "-D", folder + "/data", "-w", "-l", folder + "/log"] + arguments, owning: nil)
        control.standardInput = FileHandle.nullDevice
        control.standardOutput = FileHandle.nullDevice
        try control.run()
        control.waitUntilExit()
        try #require(control.terminationStatus == 0)
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

extension PostgreSQLServer {
    /// A session beside the log's.
    func connect() throws -> ServerConnection {
        try ServerConnection(to: DatabaseAddress(address), settings: "SET client_min_messages = error")
    }
}

extension ServerConnection {
    /// The first column of the first row, as a text; nil if there is none.
    func text(_ sql: String) throws -> String? {
        let statement = PreparedStatement(name: "", sql: "SELECT (\(sql))::text")
        try prepare([statement])
        let rows = try rows(of: statement)
        return rows.count == 0 || rows.isNull(0, 0) ? nil : rows.text(0, 0)
    }
}
