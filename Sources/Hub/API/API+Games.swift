import JSON
import Rooms
import WebProtocols

// The games that a player can return to, over HTTP. They come from a read model of the log, so no room wakes for them.
extension API {
    /// Most games in one answer.
    private static let gameLimit = 20

    /// `GET /api/players/me/games`.
    func listCallersGames(_ request: RoutedRequest) -> Future<HTTPResponse> {
        caller(request)
            .then { [self] account in
                Future.rows(.seats(of: account.id, limit: Self.gameLimit), of: readModels)
            }
            .then { [self] seats in Future.rows(.rooms(codes: seats.map(\.room)), of: readModels) }
            .then { [self] rows in names(of: rows.flatMap { $0.players + [$0.host] }).map { (rows, names: $0) } }
            .map { [presence = surroundings.presence] rows, names in
                let games = rows.map { row in
                    let players: Fields = ["players": .list(row.players.map { .string($0) })]
                    return row.listed(presence.count(in: row.code), hostName: names[row.host], with: players)
                }
                let players = Set(rows.flatMap(\.players))
                let names = names.filter { players.contains($0.key) }
                let rooms = Array("{\"rooms\":[".utf8) + games.joined(separator: Array(",".utf8)) + Array("],".utf8)
                return .json(
                    200, bytes: rooms + JSONWriter.bytes(["names": .object(HubMessage.names(names))]).dropFirst())
            }
    }
}
