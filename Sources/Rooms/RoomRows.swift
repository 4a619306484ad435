import EventStore
import Records
import RoomRules

/// What a room looks up besides its log: rows that can be lost and made again.
public protocol RoomRows: AnyObject {
    /// Finds the newest snapshot of a room, and calls `then` on this loop; nil if there is none, or it cannot be read.
    func findSnapshot(ofRoom code: String, then: @escaping (KeptSnapshot?) -> Void)
    /// Keeps a room's newest snapshot.
    func keep(_ snapshot: RoomSnapshot)
    /// Finds the names of players, and calls `then` on this loop. Players without a name are left out, and all are if
    /// the rows cannot be read.
    func findNames(of players: [PlayerID], then: @escaping ([(player: PlayerID, name: String)]) -> Void)
}

/// A snapshot as it was kept.
public struct KeptSnapshot: Sendable {
    /// The room's version with the hash of its record, which the log must have.
    let end: StreamEnd
    /// As `RoomSnapshot` writes it.
    let bytes: [UInt8]

    public init(end: StreamEnd, bytes: [UInt8]) { (self.end, self.bytes) = (end, bytes) }
}

/// Finds players by their devices' tokens.
public protocol PlayerFinder: AnyObject {
    /// Finds the player of the device whose token has this SHA-256, in hex, and calls `then` on this loop; nil if there
    /// is none.
    func player(tokenHash: String, then: @escaping (Result<Player?, EventLogError>) -> Void)
}

/// What rooms need of a player's account.
public struct PlayerAccount: Sendable {
    let name: String
    /// SHA-256 of the tokens of the player's devices, in hex.
    let tokenHashes: Set<String>

    public init(name: String, tokenHashes: Set<String>) {
        (self.name, self.tokenHashes) = (name, tokenHashes)
    }
}
