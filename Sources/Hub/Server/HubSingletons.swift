import Cluster
import Rooms

/// The parts that a hub has once. The first shard has them.
final class HubSingletons {
    /// One of several nodes keeps the read models, chosen by this name.
    private static let updaterName = "read models"

    private let cluster: ServingNodes?
    let lobby: Lobby
    let dueRooms: DueRooms
    let updater: ReadModelUpdater

    init(
        _ surroundings: RoomSurroundings, _ readModels: ReadModels, _ cluster: ServingNodes?,
        shards: any ShardDirectory, calls: ShardCalls
    ) {
        self.cluster = cluster
        lobby = Lobby(surroundings: surroundings, readModels: readModels)
        dueRooms = DueRooms(surroundings, readModels, cluster, shards: shards)
        updater = ReadModelUpdater(
            surroundings, readModels, cluster, calls: calls, lobby: lobby, dueRooms: dueRooms, shards: shards)
    }

    func start() {
        keepRows()
        dueRooms.wake()
    }

    /// The set of nodes that serve has changed.
    func nodesChanged() {
        dueRooms.nodesChanged()
        keepRows()
    }

    /// The log was away, and may have lost records as the rows may have. Both are read again from where the rows are.
    func logIsBack() {
        dueRooms.searchAllAgain()
        lobby.rowsBegun()
        if cluster != nil { lobby.doubtRows() }
        updater.logIsBack()
    }

    private func keepRows() {
        lobby.isToldOfRows = cluster?.isFirst(for: Self.updaterName) != false
        if lobby.isToldOfRows { updater.start() } else { updater.stop() }
    }
}
