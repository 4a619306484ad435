import EventStore
import Records
import ReferenceModel

/// The content of a replica when it falls behind. It may replace the database.
struct SimulatedReplica {
    let number: Int
    let storage: InMemoryStorage
    let rows: InMemoryRowStore
    let beginnings: Int
    /// How many of the log's changes it has.
    let changes: Int
}

extension World {
    /// As the database is now.
    func copyDatabase(_ number: Int) -> SimulatedReplica {
        noteRecords()
        return SimulatedReplica(
            number: number, storage: InMemoryStorage(copying: disk.storage),
            rows: InMemoryRowStore(copying: disk.rows.store), beginnings: disk.rows.beginnings, changes: notedChanges)
    }

    /// It replaces the database, which is out of reach. What was written since is lost.
    func failOver(to replica: SimulatedReplica) {
        noteRecords()
        let serving = processes.filter { model.serves($0.node.name) }
        var streams: [StreamName] = []
        for change in disk.storage.changes(after: replica.changes) {
            if let stream = change.stream, !streams.contains(stream) { streams.append(stream) }
        }
        disk.storage.failOver(to: replica.storage)
        noteClaims(isGoingBack: true)
        disk.rows.goBack(to: replica.rows, beginnings: replica.beginnings)
        notedChanges = replica.changes
        (lastDeath, lastFailOver) = (now, now)
        trace("the database has failed over: \(streams.count) streams have gone back")
        model.logWentBack(streams.map { LostEnd(stream: $0.text, version: disk.storage.end(of: $0).version) })
        // If a node was declared lost and serves again, its clients have already come back elsewhere.
        for process in processes where model.serves(process.node.name) && !serving.contains(where: { $0 === process }) {
            loseClients(of: process)
        }
        // No one goes to rooms that do not exist now.
        let gone = streams.filter { disk.storage.end(of: $0).version == 0 }.compactMap(\.roomCode)
        rooms.removeAll { gone.contains($0) }
        for stream in streams {
            trace("\(stream.text) ends at \(disk.storage.end(of: stream).version)", room: stream.roomCode)
        }
    }
}
