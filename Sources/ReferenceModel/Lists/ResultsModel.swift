/// The results of all games, as the logs of rooms have them.
final class ResultsModel {
    struct Result {
        let player: String
        let game: String
        let mode: String
        let against: String
        let score: Int
        let turns: Int
        let time: Int
        let at: Int
        let kind: String
        /// Of the room, where anybody may know it.
        let code: String?
        /// When it was recorded, and when another took its place.
        let since: Int
        var replacedAt: Int?

        /// What the best are in the order of, and then what equal ones stand in.
        var rank: [Int] { [-score, turns, time, at] }
    }

    /// In the order in which they were recorded.
    private(set) var all: [Result] = []
    private var byPlayer: [String: [Int]] = [:]
    private var bySeat: [String: Int] = [:]
    /// When the newest was recorded.
    private(set) var changedAt = 0

    /// Codes of rooms that everybody may find are so long.
    private static let publicLength = 6

    /// An event of a room.
    func note(_ event: JSON, in room: String, at now: Int) {
        switch event["type"]?.text {
        case "game-ended":
            let (results, reason) = (event["results"]?.list ?? [], event["reason"]?.text ?? "")
            guard reason != "fault" else { return }
            let people = results.count { $0["bot"] == nil }
            let against = people > 1 ? "people" : people < results.count ? "computers" : "alone"
            for result in results { note(result, event, against, room, at: now, isDecided: RoomFold.isDecided(reason)) }
        case "player-left":
            guard let result = event["result"], let against = event["against"]?.text else { return }
            note(result, event, against, room, at: now, isDecided: false)
        default: break
        }
    }

    private func note(
        _ result: JSON, _ event: JSON, _ against: String, _ room: String, at now: Int, isDecided: Bool
    ) {
        guard result["bot"] == nil, let player = result["player"]?.text, let seat = result["seat"]?.number,
            let number = event["number"]?.number
        else { return }
        let hasLeft = !isDecided || result["left"]?.bool == true
        let key = "\(room) \(number) \(seat)"
        if let before = bySeat[key] { all[before].replacedAt = now }
        bySeat[key] = all.count
        byPlayer[player, default: []].append(all.count)
        changedAt = now
        all.append(
            Result(
                player: player, game: event["game"]?.text ?? "", mode: event["mode"]?.text ?? "", against: against,
                score: result["score"]?.number ?? 0, turns: result["turns"]?.number ?? 0,
                time: result["time"]?.number ?? 0, at: event["t"]?.number ?? 0,
                kind: hasLeft ? "left" : result["helped"]?.bool == true ? "helped" : "finished",
                code: room.utf8.count == Self.publicLength ? room : nil, since: now))
    }

    /// Those that a listed result may be.
    func candidates(for listed: JSON) -> [Int] {
        (byPlayer[listed["player"]?.text ?? ""] ?? []).filter { all[$0].isSaid(by: listed) }
    }
}

extension ResultsModel.Result {
    fileprivate func isSaid(by listed: JSON) -> Bool {
        at == listed["at"]?.number && score == listed["score"]?.number && turns == listed["turns"]?.number
            && time == listed["time"]?.number && kind == listed["kind"]?.text && game == listed["game"]?.text
            && mode == listed["mode"]?.text && against == listed["against"]?.text && code == listed["room"]?.text
    }
}
