/// What a hub has once, however many shards there are: the first one has it.
final class HubSingletons {
    let lobby: Lobby
    let dueRooms: DueRooms
    let updater: ReadModelUpdater

    init(_ surroundings: RoomSurroundings, shards: any ShardDirectory, calls: ShardCalls) {
        lobby = Lobby(surroundings: surroundings)
        dueRooms = DueRooms(surroundings, shards: shards)
        updater = ReadModelUpdater(surroundings, calls: calls, lobby: lobby, shards: shards)
    }
}
