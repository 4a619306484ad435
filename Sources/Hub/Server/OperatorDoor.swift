import EventStore
import Foundation
import JSON
import Rooms

/// How operators reach a node, which publishes this with its lease. Anyone who can read that can read the whole log,
/// including seeds of running games, so the token reveals nothing new there.
struct OperatorDoor: Equatable {
    /// Identifies where 127.0.0.1 is the node's: this machine since its last start, and this network namespace.
    let machine: String
    let note: OperatorNote

    init(machine: String = ownMachine, note: OperatorNote) { (self.machine, self.note) = (machine, note) }

    init?(_ fields: Fields) {
        guard let machine = fields["machine"]?.string, let port = fields["port"]?.integer,
            (1...65_535).contains(port), let token = fields["token"]?.string, PlayerToken(token) != nil
        else { return nil }
        self.init(machine: machine, note: OperatorNote(port: port, token: token))
    }

    var fields: Fields {
        ["machine": .string(machine), "port": .integer(note.port), "token": .string(note.token)]
    }

    private static let ownMachine: String = {
        // If the system does not say, no machine is taken for another.
        let boot = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        let network = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")) ?? ""
        guard !boot.isEmpty, !network.isEmpty else { return "" }
        return boot.trimmingCharacters(in: .whitespacesAndNewlines) + " " + network
    }()

    /// Whether it leads to this machine.
    var isHere: Bool { !machine.isEmpty && machine == Self.ownMachine }
}

extension OperatorNote {
    /// The note of a hub that runs on the log, on this machine; nil if there is none. Throws `OperatorNoteError`, or
    /// `EventLogError` if a database cannot be reached or holds no log.
    public static func ofRunningHub(on log: LogAddress) throws -> OperatorNote? {
        switch log {
        case .sqlite(let folder): try ofRunningHub(in: folder)
        case .postgreSQL(let address): try NodeReports(on: address).read().compactMap(\.operatorNote).first
        }
    }

    /// The names of the nodes that serve rooms of a shared log, on any machine.
    public static func namesOfNodes(on log: LogAddress) throws -> [String] {
        guard case .postgreSQL(let address) = log else { return [] }
        return try NodeReports(on: address).read().filter { $0.isServing && $0.runs }.map(\.name)
    }
}
