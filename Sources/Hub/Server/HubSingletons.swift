/// What a hub has once, however many shards there are: the first one has it.
final class HubSingletons {
    /// One of several nodes keeps the read models: the one that goes first for this.
    private static let updaterName = "read models"

    private let cluster: Cluster?
    let lobby: Lobby
    let dueRooms: DueRooms
    let updater: ReadModelUpdater

    init(_ surroundings: RoomSurroundings, shards: any ShardDirectory, calls: ShardCalls) {
        cluster = surroundings.cluster
        lobby = Lobby(surroundings: surroundings)
        dueRooms = DueRooms(surroundings, shards: shards)
        updater = ReadModelUpdater(surroundings, calls: calls, lobby: lobby, dueRooms: dueRooms, shards: shards)
    }

    func start() {
        keepRows()
        dueRooms.wake()
    }

    /// There are other nodes than before.
    func nodesChanged() {
        dueRooms.nodesChanged()
        keepRows()
    }

    /// The log was away, and may have lost something, and the rows with it: both are read from where the rows are.
    func logIsBack() {
        lobby.rowsBegun()
        if cluster != nil { lobby.doubtRows() }
        updater.logIsBack()
    }

    private func keepRows() {
        lobby.isToldOfRows = cluster?.isFirst(for: Self.updaterName) != false
        if lobby.isToldOfRows { updater.start() } else { updater.stop() }
    }
}
