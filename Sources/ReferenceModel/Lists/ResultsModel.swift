import JSON

/// The results of all games, as the logs of rooms have them.
final class ResultsModel {
    // A class, because many requests look through all of them.
    final class Result {
        /// Their order in the log.
        let number: Int
        let player: String
        let game: String
        let mode: String
        let against: String
        let score: Int
        let turns: Int
        let time: Int
        let at: Int
        let kind: String
        /// The room's code, if everyone may know it.
        let code: String?
        /// Its place in the log.
        fileprivate let place: (room: String, version: Int)
        /// Whether the log has lost it.
        fileprivate(set) var isLost = false

        fileprivate init(
            number: Int, player: String, game: String, mode: String, against: String, score: Int, turns: Int, time: Int,
            at: Int, kind: String, code: String?, place: (room: String, version: Int)
        ) {
            self.place = place
            (self.number, self.player, self.game, self.mode, self.against) = (number, player, game, mode, against)
            (self.score, self.turns, self.time, self.at) = (score, turns, time, at)
            (self.kind, self.code) = (kind, code)
        }

        var rank: Rank { Rank(loss: -score, turns: turns, time: time, at: at) }
    }

    /// The order of the best results, then that of equal ones.
    struct Rank: Comparable {
        var loss = 0
        var turns = 0
        var time = 0
        let at: Int

        static func < (one: Rank, other: Rank) -> Bool {
            one.isBetter(than: other) || !other.isBetter(than: one) && one.at < other.at
        }

        /// Ignores the time of the result.
        func isBetter(than other: Rank) -> Bool {
            (loss, turns, time) < (other.loss, other.turns, other.time)
        }
    }

    /// By game, the results that no later one replaces.
    private var newest: [String: [Result]] = [:]
    private var count = 0
    private var byTime: [Int: [Result]] = [:]
    /// All results of a seat in a game, newest last.
    private var bySeat: [String: [Result]] = [:]
    /// When the newest was recorded.
    private(set) var changedAt = 0

    /// The length of codes of public rooms.
    private static let publicLength = 6

    func recordResults(of event: Value, in room: String, at now: Int) {
        switch event["type"]?.string {
        case "game-ended":
            let (results, reason) = (event["results"]?.list ?? [], event["reason"]?.string ?? "")
            guard reason != "fault" else { return }
            let people = results.count { $0["bot"] == nil }
            let against = people > 1 ? "people" : people < results.count ? "computers" : "alone"
            let isDecided = RoomFold.isDecided(reason) && event["unplayed"] == nil
            for result in results { recordResult(result, event, against, room, at: now, isDecided: isDecided) }
        case "player-left":
            guard let result = event["result"], let against = event["against"]?.string else { return }
            recordResult(result, event, against, room, at: now, isDecided: false)
        default: break
        }
    }

    private func recordResult(
        _ result: Value, _ event: Value, _ against: String, _ room: String, at now: Int, isDecided: Bool
    ) {
        guard result["bot"] == nil, let player = result["player"]?.string, let seat = result["seat"]?.integer,
            let number = event["number"]?.integer
        else { return }
        let hasLeft = !isDecided || result["left"]?.bool == true
        let new = Result(
            number: count, player: player, game: event["game"]?.string ?? "", mode: event["mode"]?.string ?? "",
            against: against, score: result["score"]?.integer ?? 0, turns: result["turns"]?.integer ?? 0,
            time: result["time"]?.integer ?? 0, at: event["t"]?.integer ?? 0,
            kind: hasLeft ? "left" : result["helped"]?.bool == true ? "helped" : "finished",
            code: room.utf8.count == Self.publicLength ? room : nil, place: (room, event["v"]?.integer ?? 0))
        let key = "\(room) \(number) \(seat)"
        if let before = bySeat[key]?.last { newest[before.game]?.removeAll { $0 === before } }
        bySeat[key, default: []].append(new)
        newest[new.game, default: []].append(new)
        byTime[new.at, default: []].append(new)
        count += 1
        changedAt = now
    }

    /// A room's log has lost everything after this version.
    func goBack(room: String, to version: Int, at now: Int) {
        for (key, results) in bySeat {
            guard let last = results.last, last.place.room == room, last.place.version > version else { continue }
            let kept = results.filter { $0.place.version <= version }
            for result in results where result.place.version > version { result.isLost = true }
            newest[last.game]?.removeAll { $0 === last }
            if let before = kept.last { newest[before.game, default: []].append(before) }
            bySeat[key] = kept.isEmpty ? nil : kept
            changedAt = now
        }
    }

    /// The results of one game, or of all, that no later one replaces.
    func newest(of game: String?) -> [Result] { game.map { newest[$0] ?? [] } ?? Array(newest.values.joined()) }

    /// The results that a listed one may be. `withLost`: lists may show what the log has lost.
    func candidates(for listed: Value, withLost: Bool) -> [Result] {
        (listed["at"]?.integer.flatMap { byTime[$0] } ?? []).filter {
            $0.isSaid(by: listed) && (withLost || !$0.isLost)
        }
    }
}

extension ResultsModel.Result {
    fileprivate func isSaid(by listed: Value) -> Bool {
        player == listed["player"]?.string && score == listed["score"]?.integer && turns == listed["turns"]?.integer
            && time == listed["time"]?.integer && kind == listed["kind"]?.string && game == listed["game"]?.string
            && mode == listed["mode"]?.string && against == listed["against"]?.string && code == listed["room"]?.string
    }
}
