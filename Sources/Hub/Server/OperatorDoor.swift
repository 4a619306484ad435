import EventStore
import Foundation
import Games
import JSON

/// How whoever runs a node reaches it, as the node says with its lease: who may read that may read the whole log, seeds
/// of games under way too, so that the token is no secret there that was none before.
struct OperatorDoor: Equatable {
    /// Where 127.0.0.1 is the node's: on this machine, since it was started, in this network namespace.
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
        // Where the system does not say: no other machine is taken for this one, and this one for no other.
        let boot = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        let network = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")) ?? ""
        guard !boot.isEmpty, !network.isEmpty else { return "" }
        return boot.trimmingCharacters(in: .whitespacesAndNewlines) + " " + network
    }()

    /// Whether it leads to this machine.
    var isHere: Bool { !machine.isEmpty && machine == Self.ownMachine }
}

extension OperatorNote {
    /// The note of a hub that runs on the log, on this machine; nil if none does. Throws `OperatorNoteError`, or
    /// `EventLogError` where a database cannot be asked, or holds no log.
    public static func ofRunningHub(on log: LogAddress) throws -> OperatorNote? {
        switch log {
        case .sqlite(let folder): try ofRunningHub(in: folder)
        case .postgreSQL(let address):
            try NodeReports(on: address).read().compactMap(\.operatorNote).first
        }
    }

    /// The names of the nodes that serve rooms of a log that can be shared, wherever they run.
    public static func namesOfNodes(on log: LogAddress) throws -> [String] {
        guard case .postgreSQL(let address) = log else { return [] }
        return try NodeReports(on: address).read().filter { $0.isServing && $0.runs }.map(\.name)
    }
}
