import EventStore
import Games
import ProtocolOracles
import Records
import Transport
import WebProtocols

@testable import Hub
@testable import RoomRules
@testable import Rooms

/// The broken rule for a text given as a player's name; nil if all hold. It is refused with a sentence, or is a name
/// that does not change when it is given again.
func nameFault(_ bytes: [UInt8]) -> String? {
    let raw = String(decoding: bytes, as: UTF8.self)
    do throws(Rejection) {
        let name = try PlayerName(raw)
        guard let again = try? PlayerName(name.text), again == name else { return "\(name) is another one again" }
        guard !name.folded.isEmpty, PlayerName.folded(name.text) == name.folded else { return "\(name) is not found" }
        guard name.text.count <= PlayerName.characterLimit, name.text.onOneLine == name.text else {
            return "\(name) is more than a line's word"
        }
    } catch { if error.sentence.isEmpty { return "refused without a word" } }
    return nil
}

/// The broken rule for a text given as a code, a token or a stream's name; nil if all hold.
func codeFault(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    if let code = AccountCode(text) {
        guard AccountCode(code.text) == code, code.text.utf8.count == 39, code.account.utf8.count == 16 else {
            return "the code \(code) reads otherwise than it was written"
        }
    }
    if let token = PlayerToken(text), token.hash.utf8.count != 64 { return "a token of \(token.hash)" }
    let stream = StreamName(text: text)
    if let code = stream.roomCode, StreamName.room(code) != stream { return "the room of \(text) is another's" }
    for kind in ["name/", "token/"] where text.utf8.starts(with: kind.utf8) {
        guard stream.shownInLogs == kind + "…" else { return "logs would show \(stream.shownInLogs)" }
    }
    return nil
}

/// The broken rule for a text given as an address, a block of addresses, an origin or a place to listen; nil if all
/// hold. What can be read can be read again after writing.
func addressFault(_ bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    if let fault = ipAddressFault(text) { return fault }
    if let origin = WebOrigin(text), WebOrigin(origin.description) != origin {
        return "\(origin) reads otherwise than it was written"
    }
    if let origin = WebOrigin(scheme: "https", authority: text), !origin.description.utf8.allSatisfy({ $0 > 0x20 }) {
        return "\(origin) is no line's part"
    }
    if let address = ListenAddress(text), ListenAddress(address.description) != address {
        return "\(address) reads otherwise than it was written"
    }
    return nil
}

/// The broken rule for a room's preview, with any row, players' names and address, one on each line; nil if all hold.
/// All markup is the hub's.
func previewFault(_ bytes: [UInt8]) -> String? {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let line = { (index: Int) in index < lines.count ? String(lines[index]) : "" }
    let texts = PreviewTexts.all[Int(bytes.first ?? 0) % PreviewTexts.all.count]
    guard let games = try? GameCatalog(GameList.all) else { return "no games" }
    let row = RoomRow(
        code: line(1), version: 1, opener: "a", host: "a", opened: 0, isPublic: true, isOpen: true, deadline: nil,
        changed: 0, summary: Array(line(2).utf8), players: ["a", "b", "bot-2"])
    let names = ["a": line(3), "b": line(4)]
    let origin = WebOrigin(scheme: "http", authority: line(5))
    var previews = [Preview(title: line(3), description: line(4), path: line(1))]
    for present in 0...1 {
        guard let room = RoomPreview(row, present: present, games: games, in: texts) else { continue }
        previews += [room.room(names: names, in: texts), room.replay(names: names, in: texts)]
    }
    for preview in previews {
        let plain = Preview(title: "a", description: "b", path: preview.path == nil ? nil : "/")
        let signs = { (preview: Preview) in
            preview.tags(in: texts, at: origin).utf8.filter { "<>\"".utf8.contains($0) }
        }
        guard signs(preview) == signs(plain) else { return "markup in \(preview)" }
    }
    return nil
}
