import EventStore
import Games

struct DatabaseStorage: HubStorage {
    let address: String

    func openLog(for run: String) throws(EventLogError) -> any EventLog {
        try PostgreSQLLog(address: address, run: run)
    }

    func openLeases(for run: String) throws(EventLogError) -> (any LeaseStore)? {
        try PostgreSQLLeaseStore(address: address, run: run)
    }

    func openRows() throws(EventLogError) -> any RowStore {
        try PostgreSQLRowStore(address: address, layout: ReadModels.layout)
    }

    /// Nodes' own records say when rooms were not served.
    var lastSignOfLife: Milliseconds? { nil }
    func recordSignOfLife(at time: Milliseconds) {}
}
