import EventStore
import Hub
import ReferenceModel

/// A place for a hub: a machine with its own clock and, at times, a process. A single node owns the disk and may move
/// to another machine; several share it as a database.
final class SimulatedNode {
    let index: Int
    /// Its name among the nodes.
    var name: String { "node-\(index)" }
    let machines: [SimulatedMachine]
    /// The machine that runs the hub, or last did.
    var machine: SimulatedMachine
    var process: HubProcess?
    /// Processes that were started here, including the running one.
    var boots = 0
    /// Messages to clients.
    var frames = 0
    /// World time until which nothing here reaches the database.
    var cutOffUntil = 0
    /// Whether its port refuses connections when no process runs. If not, the machine is dead too.
    var refuses = false
    /// What the release lacks that runs here; nil for the newest.
    var older: NodeRelease?

    init(_ index: Int, on machines: [SimulatedMachine], older: NodeRelease?) {
        (self.index, self.machines, machine, self.older) = (index, machines, machines[0], older)
    }
}

extension World {
    var isCluster: Bool { nodes.count > 1 }
    var processes: [HubProcess] { nodes.compactMap(\.process) }
}

/// A node's view of the disk that several share: a database with its own clock.
// Sendable only for the compiler: a world runs on one thread.
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
    /// The nodes' records tell what was not served.
    var lastSignOfLife: Int? { nil }
    func recordSignOfLife(at time: Int) {}
}
