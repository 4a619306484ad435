/// The sentences of previews in one of the page's languages. They are here because they are read where a link was
/// pasted, without a page. `{names}` are one or more players; a sentence with `Many` is about several.
struct PreviewTexts: Sendable {
    let language: String
    /// In Open Graph's form.
    let locale: String

    let home: String
    let waits: String
    let seatsFree: String
    let seats: String
    let begins: String
    let beginsMany: String
    let full: String
    let plays: String
    let playsMany: String
    let watch: String
    let hasPlayed: String
    let hasPlayedMany: String
    let over: String
    let closed: String
    let openOwn: String
    let replay: String
    let replayOfGame: String
    let seeAgain: String
    /// A description of the picture.
    let picture: String

    /// Between names, and before the last one; `andBeforeI` if that starts with the sound of an i.
    let comma: String
    let and: String
    let andBeforeI: String
    /// Replaces names that do not fit, two or more.
    let others: String
    /// A player without a name.
    let someone: String
    let computer: String
    /// Two or more.
    let computers: String

    /// English first, which is used if the client asks for none of these.
    static let all = [english, spanish, german, chinese]

    private static let english = PreviewTexts(
        language: "en", locale: "en_US",
        home: "Play {games} together: start a room and send the link.",
        waits: "{names} is waiting for you: {game}", seatsFree: "{game}: seats free",
        seats: "{taken} of {all} seats taken. Open the link to join. All you need is a name.",
        begins: "{names} is about to play {game}", beginsMany: "{names} are about to play {game}",
        full: "All seats are taken. Open the link to watch.",
        plays: "{names} is playing {game}", playsMany: "{names} are playing {game}",
        watch: "The game is on. Open the link to watch live.",
        hasPlayed: "{names} played {game}", hasPlayedMany: "{names} played {game}",
        over: "The game is over. Watch the replay or play the next one.",
        closed: "{game}: this room is closed", openOwn: "Start a room and play together.",
        replay: "Replay: {names}, {game}", replayOfGame: "Replay: {game}",
        seeAgain: "Watch the game again, move by move, and check that it was fair.",
        picture: "Cards and discs, and the word Flipside",
        comma: ", ", and: " and ", andBeforeI: " and ", others: "{count} others", someone: "Someone",
        computer: "a computer", computers: "{count} computers")

    private static let spanish = PreviewTexts(
        language: "es", locale: "es_ES",
        home: "Juega en compañía a {games}: abre una sala y envía el enlace.",
        waits: "{names} te espera: {game}", seatsFree: "{game}: hay sitios libres",
        seats: "{taken} de {all} sitios ocupados. Abre el enlace y juega. Solo necesitas un nombre.",
        begins: "{names} va a jugar: {game}", beginsMany: "{names} van a jugar: {game}",
        full: "Todos los sitios están ocupados. Abre el enlace y mira la partida.",
        plays: "{names} está jugando: {game}", playsMany: "{names} están jugando: {game}",
        watch: "La partida está en marcha. Abre el enlace y mírala en vivo.",
        hasPlayed: "{names} ha jugado: {game}", hasPlayedMany: "{names} han jugado: {game}",
        over: "La partida ha terminado. Mira la repetición o juega la siguiente.",
        closed: "{game}: esta sala está cerrada", openOwn: "Abre una sala y juega en compañía.",
        replay: "Repetición: {names}, {game}", replayOfGame: "Repetición: {game}",
        seeAgain: "Mira la partida otra vez, jugada a jugada, y comprueba que fue limpia.",
        picture: "Cartas y fichas, y la palabra Flipside",
        comma: ", ", and: " y ", andBeforeI: " e ", others: "{count} más", someone: "Alguien",
        computer: "la computadora", computers: "{count} computadoras")

    private static let german = PreviewTexts(
        language: "de", locale: "de_DE",
        home: "Spielt {games} zusammen: Öffne einen Raum und verschick den Link.",
        waits: "{names} wartet auf dich: {game}", seatsFree: "{game}: noch Plätze frei",
        seats: "{taken} von {all} Plätzen belegt. Öffne den Link und spiel mit. Ein Name genügt.",
        begins: "{names} spielt gleich {game}", beginsMany: "{names} spielen gleich {game}",
        full: "Alle Plätze sind belegt. Öffne den Link und schau zu.",
        plays: "{names} spielt {game}", playsMany: "{names} spielen {game}",
        watch: "Das Spiel läuft. Öffne den Link und schau live zu.",
        hasPlayed: "{names} hat {game} gespielt", hasPlayedMany: "{names} haben {game} gespielt",
        over: "Das Spiel ist zu Ende. Sieh es dir noch einmal an oder spiel das nächste mit.",
        closed: "{game}: Dieser Raum ist geschlossen", openOwn: "Öffne einen Raum und spielt zusammen.",
        replay: "Wiederholung: {names}, {game}", replayOfGame: "Wiederholung: {game}",
        seeAgain: "Sieh dir das Spiel noch einmal an, Zug um Zug, und prüfe, ob es fair war.",
        picture: "Karten und Spielsteine und das Wort Flipside",
        comma: ", ", and: " und ", andBeforeI: " und ", others: "{count} andere", someone: "Jemand",
        computer: "ein Computer", computers: "{count} Computer")

    private static let chinese = PreviewTexts(
        language: "zh", locale: "zh_CN",
        home: "{games}：开一个房间，把链接发给朋友，一起玩。",
        waits: "{names}在等你：{game}", seatsFree: "{game}：还有空位",
        seats: "已有 {taken}/{all} 个座位有人。打开链接就能一起玩，只需要一个名字。",
        begins: "{names}马上开始玩{game}", beginsMany: "{names}马上开始玩{game}",
        full: "座位已满，打开链接即可观战。",
        plays: "{names}正在玩{game}", playsMany: "{names}正在玩{game}",
        watch: "对局正在进行，打开链接即可实时观战。",
        hasPlayed: "{names}玩了{game}", hasPlayedMany: "{names}玩了{game}",
        over: "对局已结束。可以看回放，也可以玩下一局。",
        closed: "{game}：这个房间已关闭", openOwn: "自己开一个房间，一起玩。",
        replay: "回放：{names}，{game}", replayOfGame: "回放：{game}",
        seeAgain: "一步一步地重看这一局，并核对它是否公平。",
        picture: "卡牌、棋子和 Flipside 字样",
        comma: "、", and: "和", andBeforeI: "和", others: "另外 {count} 人", someone: "有人",
        computer: "电脑", computers: "{count} 台电脑")
}

extension PreviewTexts {
    /// Most names in a sentence. The rest are counted.
    private static let nameLimit = 3

    /// The client's preferred language.
    static func spoken(_ language: String?) -> PreviewTexts { all.first { $0.language == language } ?? all[0] }

    /// "Ann, Ben and 4 others", "Ann and 2 computers".
    func list(_ names: [String], computers count: Int = 0) -> String {
        let all = names + (count == 0 ? [] : [count == 1 ? computer : Self.fill(computers, ["count": "\(count)"])])
        guard all.count > Self.nameLimit else { return joined(all) }
        let shown = names.prefix(Self.nameLimit - 1)
        return joined(shown + [Self.fill(others, ["count": "\(names.count + count - shown.count)"])])
    }

    private func joined(_ names: [String]) -> String {
        guard let last = names.last, names.count > 1 else { return names.first ?? "" }
        return names.dropLast().joined(separator: comma) + (beginsWithI(last) ? andBeforeI : and) + last
    }

    /// As in Spanish: an i, even after a silent h, unless another vowel turns it into a consonant.
    private func beginsWithI(_ name: String) -> Bool {
        var letters = name.lowercased()[...]
        if letters.first == "h" { letters.removeFirst() }
        guard let first = letters.popFirst(), first == "i" || first == "í" else { return false }
        return letters.first.map { !"aeouáéóú".contains($0) } ?? true
    }

    /// Replaces each name in braces in `sentence` by its value. Values are not searched.
    static func fill(_ sentence: String, _ values: [String: String]) -> String {
        let parts = sentence.split(separator: "{", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            let halves = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            return text + values[String(halves[0]), default: ""] + (halves.count > 1 ? String(halves[1]) : "")
        }
    }
}
