import Games
import JSON

@testable import Hub
@testable import RoomRules
@testable import Rooms

/// The broken rule for the bytes of a message or a body; nil if all hold. JSON that is read and written again reads the
/// same, and every possible message, command and event is read or refused.
func jsonFault(_ bytes: [UInt8]) -> String? {
    do throws(ClientMessage.Refusal) {
        if case .command(_, let type, let fields) = try ClientMessage.read(bytes.span.bytes) { read(type, fields) }
    } catch { guard !error.rejection.sentence.isEmpty else { return "refused without a word" } }
    guard let value = try? JSONReader.read(bytes) else { return nil }  // Without JSON there is nothing more to check.
    var writer = JSONWriter(reserving: bytes.count)
    writer.write(value)
    guard let again = try? JSONReader.read(writer.bytes), again == value else {
        return "written again it reads otherwise: \(String(decoding: writer.bytes, as: UTF8.self))"
    }
    return nil
}

/// As a command of each game, and as an event of a log. Both may be refused.
private func read(_ type: String, _ fields: Fields) {
    for game in GameList.all {
        _ = try? RoomCommand(type: type, fields: fields, game: game)
        _ = try? game.options(fields)
    }
    _ = RoomEvent(type: type, fields: fields, sealed: nil)
}
