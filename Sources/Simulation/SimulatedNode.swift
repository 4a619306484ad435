import EventStore
import Hub
import ReferenceModel

/// A place where a hub runs: a machine with a clock of its own and, now and then, a process. One alone has the disk for
/// itself, and may move to another machine; several share it as a database.
final class SimulatedNode {
    let index: Int
    /// By which the others know it.
    var name: String { "node-\(index)" }
    let machines: [SimulatedMachine]
    /// The one that runs the hub, or did last.
    var machine: SimulatedMachine
    var process: HubProcess?
    /// Processes that were started here, the one that runs included.
    var boots = 0
    /// Messages to clients.
    var frames = 0
    /// World time until which nothing here reaches the database.
    var cutOffUntil = 0
    /// Whether its port refuses connections where no process runs: else the machine has died, too.
    var refuses = false
    /// What the release lacks that runs here; nil: it is the newest.
    var older: NodeRelease?

    init(_ index: Int, on machines: [SimulatedMachine], older: NodeRelease?) {
        (self.index, self.machines, machine, self.older) = (index, machines, machines[0], older)
    }
}

extension World {
    /// Whether several hubs share the log.
    var isCluster: Bool { nodes.count > 1 }
    var processes: [HubProcess] { nodes.compactMap(\.process) }
}

/// A disk as several nodes share it: a database that one of them reaches, with a clock of its own.
// Sendable to the compiler alone: a world is on one thread.
final class SimulatedDatabase: HubStorage, @unchecked Sendable {
    private let disk: SimulatedDisk
    private let machine: SimulatedMachine
    private(set) var leases: SimulatedLeases?
    private(set) var rows: SharedRows?

    init(_ disk: SimulatedDisk, on machine: SimulatedMachine) { (self.disk, self.machine) = (disk, machine) }

    func openLog(for run: String) -> any EventLog { InMemoryLog(storage: disk.storage, run: run) }
    func openRows() -> any RowStore {
        let rows = SharedRows(disk.rows)
        self.rows = rows
        return rows
    }
    func openLeases(for run: String) -> (any LeaseStore)? {
        let leases = SimulatedLeases(
            InMemoryLeaseStore(storage: disk.storage, run: run) { [machine] in machine.wall })
        self.leases = leases
        return leases
    }
    /// What was not served follows from what nodes record.
    var lastSignOfLife: Int? { nil }
    func note(signOfLife time: Int) {}
}
