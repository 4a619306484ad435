import Cryptography
import Games
import JSON

@testable import Hub

/// The broken rule for the options of a new room; nil if all hold. Each game refuses them with a sentence, or can be
/// played with them.
func optionsFault(_ bytes: [UInt8]) -> String? {
    guard let asked = (try? JSONReader.read(bytes))?.object else { return nil }  // Without JSON nothing is asked for.
    return GameList.all.lazy.compactMap { game in fault(of: game, asked.withoutNulls) }.first
}

private func fault<Kind: Game>(of game: Kind.Type, _ asked: Fields) -> String? {
    let options: Fields
    do throws(Rejection) { options = try Kind.options(asked) } catch {
        return error.sentence.isEmpty ? "\(Kind.name) refuses without a word" : nil
    }
    guard let again = try? Kind.options(options), again == options else {
        return "\(Kind.name) reads its own options otherwise: \(options)"
    }
    let count = Kind.seatCount(options)
    guard Kind.seats.contains(count) else { return "\(Kind.name) with \(count) seats" }
    _ = (Kind.board(options).map { $0.columns * $0.rows }, Kind.titles)
    for players in Kind.seats.lowerBound...count {
        if let fault = fault(of: game, options, players: players) { return "\(fault), \(players) at \(options)" }
    }
    return nil
}

private func fault<Kind: Game>(of game: Kind.Type, _ options: Fields, players: Int) -> String? {
    let seed = SHA256.digest(of: "a seed")
    var draw = RandomWords(seed: seed)
    let setup: (options: Fields, fields: Fields)
    // Some boards are not for one player, and some not for many.
    do throws(Rejection) { setup = try Kind.setupFields(options, players: players, draw: &draw) } catch {
        return error.sentence.isEmpty ? "\(Kind.name) refuses without a word" : nil
    }
    guard let dealt = Kind.dealtFields(options: setup.options, fields: setup.fields, seed: seed) else {
        return "\(Kind.name) cannot be dealt"
    }
    func started(_ seed: Digest?) -> Kind? {
        Kind.started(
            options: dealt.options, fields: dealt.fields, players: (0..<players).map { Seat($0) }, first: Seat(0),
            seed: seed, at: 0)
    }
    guard var game = started(Kind.isDealt ? seed : nil), var shown = started(nil) else {
        return "\(Kind.name) does not start"
    }
    for step in game.openingSteps(at: 0) {
        guard game.apply(step, at: 0), shown.apply(step, at: 0) else { return "\(Kind.name) does not begin" }
    }
    guard game.view == shown.view else { return "\(Kind.name) shows what only its seed tells" }
    return Kind.mode(options: dealt.options, fields: dealt.fields) == nil ? "\(Kind.name) of no mode" : nil
}
