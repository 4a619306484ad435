import Cryptography
import EventStore
import Foundation
import Games
import Records
import Testing

@testable import Hub
@testable import Rooms

/// By UTS #39, Unicode Security Mechanisms: sections 3.1 (characters), 4 (confusables), 5.2 (scripts), 5.3 (digits) and
/// 5.4 (marks).
@Suite("Names") struct NameTests {
    struct Beside: CustomTestStringConvertible {
        let name: String
        let other: String
        /// Nil if it is the same name.
        let code: String?

        init(_ name: String, _ other: String, _ code: String? = nil) {
            (self.name, self.other, self.code) = (name, other, code)
        }
        var testDescription: String { "\(other) beside \(name)" }
    }

    @Test(
        "a name that looks like another cannot be taken",
        arguments: [
            Beside("Anna", "\u{410}nna", "name-scripts"),  // Cyrillic A
            Beside("Anna", "\u{15E9}nna", "name-character"),  // Canadian syllabics carrier gho
            Beside("Anna", "Ann\u{251}", "name-character"),  // IPA alpha
            Beside("Anna", "A\u{332}nna", "name-character"),  // combining low line
            Beside("Anna", "A" + String(repeating: "\u{301}", count: 95) + "nna", "name-too-long"),
            Beside("Anna", "A" + String(repeating: "\u{301}\u{308}", count: 45) + "nna", "name-marks"),
            Beside("Anna", "A" + String(repeating: "\u{301}\u{308}", count: 3) + "nna", "name-marks"),
            Beside("Anna", "A\u{301}\u{301}nna", "name-marks"),
            Beside("Anna", "\u{301}Anna", "name-marks"),
            Beside("An na", "An  na"), Beside("An na", "An\u{A0}na"), Beside("An na", "\u{3000}An na "),
            Beside("Anna", "Anna\n\u{EB3}"),  // a mark on a line break, which is a blank
            Beside("Anna", "anna"), Beside("Anna", "ＡＮＮＡ"), Beside("Anna", "𝐀𝐧𝐧𝐚"), Beside("Anna", "🅰nna"),
            Beside("Anna", "\u{391}nn\u{3B1}", "name-scripts"),  // Greek alphas
            Beside("ANNA", "\u{391}\u{39D}\u{39D}\u{391}", "written Αννα"),  // Greek all through
            Beside("Avva", "\u{391}\u{3BD}\u{3BD}\u{3B1}"), Beside("Niva", "\u{39D}\u{3B9}\u{3BD}\u{3B1}"),
            Beside("paypal", "\u{440}\u{430}\u{443}\u{440}al", "name-scripts"),
            Beside("Capa", "\u{421}\u{430}\u{440}\u{430}"),  // Cyrillic all through: Сара
            Beside("POP", "\u{420}\u{41E}\u{420}"), Beside("pop", "\u{420}\u{41E}\u{420}"),
            Beside("Marnie", "Mamie"), Beside("Ian", "lan"), Beside("Ali", "A1i"), Beside("Ali", "AIl"),
            Beside("Oscar", "0scar"), Beside("Bob 1", "Bob l"), Beside("Ibrahim", "\u{130}brahim"),
            Beside("José", "Jose\u{301}"), Beside("Straße", "STRASSE"), Beside("Σίσυφος", "ΣΊΣΥΦΟΣ"),
            Beside("❤️", "❤"), Beside("O'Neill", "O\u{2019}Neill"), Beside("Ann-Marie", "Ann\u{2010}Marie"),
            Beside("二郎", "ニ郎"), Beside("שרה 2", "2 שרה"), Beside("Zoë DE", "Zoë 🇩🇪"),
            Beside("Anna", "\u{391}\u{3B7}\u{3B7}\u{3B1}"),
            Beside("HANNA", "\u{397}\u{391}\u{39D}\u{39D}\u{391}", "written \u{397}αννα"),
            Beside("Anna", "A\u{331}nna"), Beside("Anna", "An\u{31B}na", "name-character"),
            Beside("Anna", "Anna."), Beside("Anna", "Anna'"), Beside("Anna", "_Anna"), Beside("Anna", "Anna-"),
            Beside("Anna", "Anna !"), Beside("Anna", "\u{2BC}Anna\u{2018}"), Beside("_Anna_", "Anna"),
            Beside("O'Neill", "O\u{2018}Neill"), Beside("O'Neill", "O\u{2BB}Neill"),
            Beside("O'Neill", "O\u{2BC}Neill"), Beside("น้ำ", "น\u{E49}\u{E4D}\u{E32}"), Beside("一 小", "ㅡ 小"),
            Beside("र्य", "र्\u{200D}य"), Beside("🏴", "🏴\u{E0067}\u{E0062}\u{E0078}\u{E007F}"),
        ])
    func isNotTaken(_ row: Beside) throws {
        let hub = ScriptedHub()
        let first = hub.register(row.name, ScriptedHub.token(of: "A"))
        let second = hub.register(row.other, ScriptedHub.token(of: "B"))
        #expect(first.status == 201)
        if let code = row.code, let written = code.split(separator: "written ").last, code.hasPrefix("written") {
            // It is accepted, but not in the spelling that looks like the other name.
            #expect(second.status == 201 && second.fields["name"]?.string == String(written))
        } else {
            #expect(second.status == (row.code == nil ? 409 : 422))
            #expect(second.fields["code"]?.string == row.code ?? "name-taken")
        }
    }

    @Test(
        "names in any script can be taken, and are kept as they are",
        arguments: [
            "Ann-Marie", "O'Neill", "José", "Łukasz", "Zoë 🎉", "小明", "さくらSakura", "김철수", "Kim 철수", "Дмитрий",
            "Ελένη", "محمد", "שרה", "नेहा", "Anna 2", "Nguyễn Thị Hằng", "Ann B.", "👩‍🚀 Zoë", "❤️", "👍🏽", "🇩🇪",
            "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "1️⃣", "x", "渡辺さくら", "ジョン・スミス", "ㄅㄆ小明", "Đặng", "Ömer", "İbrahim", "Ðorđe",
            "Þóra", "Сара", "Άννα", "Νίνα", "Արամ", "გიორგი", "สมชาย", "ප්\u{200D}රියා",
            "علی\u{200C}رضا", "አበበ", "မျှော့",
            "Zoë / 100%", "Jean-Luc P.", "Tom & Jerry", "C3PO", "a/b", "me",
            "Mr. X!", "נחמן 2", "محمد ٢", "नेहा २", "Hubert", "Botho", "Adminia", "Systeme D",
            "Duo", "Tui", "Anna Frei", "Du Li", "You Li", "Tu Li", "Tu Oo", "Ali E.", "Aile", "AILE", "Bo T.", "Al Le",
            "Tư", "Tự", "Dũ", "小明 김", "น้ำ", "ลำดวน", "จำปา", "ຄຳ", "ㅋㅋ", "ㅇㅇ", "김ㅋㅋ", "שָׂרָה", "בְּרָכָה",
            "র\u{200D}\u{9CD}যাচেল", "\u{2018}Okina", "\u{2019}Okina", "\u{2BB}Okina", "\u{2BC}Okina", "Hawai\u{2BB}i",
            "Nguyễn Thị Ngợi",
            "_", "?!", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "🏴󠁧󠁢󠁷󠁬󠁳󠁿",
            String(repeating: "é", count: 24),
        ])
    func areGood(_ name: String) throws { #expect(try PlayerName(name).text == name) }

    @Test("a name is stored composed, with joined blanks and letters of normal width")
    func keptPlain() throws {
        #expect(try PlayerName("Nguye\u{302}\u{303}n").text.unicodeScalars.count == 6)
        #expect(try PlayerName(" An \u{3000}\t na\n").text == "An na")
        #expect(try PlayerName("Ｓａｋｕｒａ２").text == "Sakura2")
        #expect(try PlayerName("ｻｸﾗ").text == "サクラ")
        // Characters that stretch letters, and selectors of ideographs.
        #expect(try PlayerName("م\u{640}ح\u{640}\u{640}مد").text == "محمد")
        #expect(try PlayerName("渡邉\u{E0100}\u{E01EF}").text.unicodeScalars.elementsEqual("渡邉".unicodeScalars))
    }

    @Test(
        "other names cannot be taken, for a given reason",
        arguments: [
            ("", "name-blank"), ("   ", "name-blank"), ("\t\n", "name-blank"), ("\u{3000}", "name-blank"),
            (String(repeating: "x", count: 25), "name-too-long"),
            ("x" + String(repeating: " ", count: 800), "name-too-long"), ("a\u{0}b", "name-invisible"),
            ("a\u{200B}b", "name-invisible"), ("\u{202E}abc", "name-invisible"), ("\u{3164}", "name-invisible"),
            ("\u{2800}", "name-invisible"), ("a\u{7}", "name-invisible"), ("\u{E000}", "name-invisible"),
            ("a\u{200D}b", "name-invisible"), ("a\u{200C}b", "name-invisible"), ("Ann1\u{FE0F}", "name-invisible"),
            ("1\u{200D}b", "name-invisible"), ("क\u{200D}ख", "name-invisible"), ("❤️\u{200D}", "name-invisible"),
            ("Ann: hello", "name-character"), ("Ann (host)", "name-character"), ("ᏌᏏ", "name-character"),
            ("A ☭ B", "name-character"), ("٣ Anna", "name-character"), ("2 नेहा २", "name-digits"),
            ("Анnа", "name-scripts"),
            ("さくら 김", "name-scripts"), ("ㄅㄆ さ", "name-scripts"), ("🎉\u{301}", "name-marks"),
            ("A -\u{301}", "name-marks"), ("O\u{B4}Neil", "name-character"), ("\u{B8}", "name-character"),
            ("\u{640}\u{640}", "name-blank"), ("র\u{200D}ক", "name-invisible"),
        ])
    func areBad(_ name: String, code: String) {
        #expect((refusal { _ = try PlayerName(name) })?.code ?? "none" == code)
    }

    @Test("a refusal names the fault")
    func sentences() throws {
        let mixed = try #require(refusal { _ = try PlayerName("\u{410}nna") })
        #expect(mixed.values == ["scripts": .strings(["Cyrl", "Latn"])])
        #expect(mixed.sentence == "Use one script in a name. This one mixes Cyrillic and Latin.")
        let odd = try #require(refusal { _ = try PlayerName("Ann\u{251}") })
        #expect(odd.values == ["character": "ɑ"])
        #expect(odd.sentence == "A name can have letters, digits, spaces, emoji and some symbols, but not ɑ (U+0251).")
    }

    @Test(
        "a refusal names the scripts of the name's letters, or else the foreign sign",
        arguments: [
            ("O\u{B4}Neil", "but not ´ (U+00B4)."), ("٣ Anna", "but not ٣ (U+0663)."),
            ("Дмитрийー", "but not ー (U+30FC)."), ("გიორგი٣", "but not ٣ (U+0663)."), ("Kim 철수٣", "but not ٣ (U+0663)."),
            ("Анна\u{B7}", "mixes Cyrillic and Latin."), ("שרה\u{303}", "mixes Hebrew and Latin."),
            ("Anna\u{323}नेहा", "mixes Latin and Devanagari."), ("ᥐAnna", "but not ᥐ (U+1950)."),
        ])
    func scripts(name: String, end: String) throws {
        #expect(try #require(refusal { _ = try PlayerName(name) }).sentence.hasSuffix(end))
    }

    @Test(
        "names that readers can tell apart are different",
        arguments: [
            ("José", "Jose"), ("Bär", "Bar"), ("Anna", "Anna 2"), ("An na", "Anna"), ("Ana", "Ava"), ("Nina", "Vina"),
            ("Łukasz", "Lukasz"), ("Άννα", "Anna"), ("Анна", "Anna"), ("👍🏽", "👍"), ("小明", "小朋"),
            ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"), ("🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🏴󠁧󠁢󠁳󠁣󠁴󠁿"), ("🏴󠁧󠁢󠁷󠁬󠁳󠁿", "🏴"), ("!", "?"), ("שני", "שנ"), ("Anna ❤️", "Anna"), ("น้ำ", "น้า"),
        ])
    func differ(_ one: String, _ other: String) throws {
        #expect(try PlayerName(one).folded != PlayerName(other).folded)
    }

    @Test(
        "the hub's own words cannot be names",
        arguments: [
            "someone", "Someone", "SOME ONE", "s0meone", "host", "Höst", "h0st", "Host 2", "-host-", "👑 host", "admin",
            "Administrator", "bot-0", "bot-7", "bot 12", "B0T", "bot-1O", "hub", "Hub!", "Flipside", "computer",
            "Computer 1", "Computer l", "operator", "system", "server", "moderator", "Jemand", "alguien", "有人", "电脑 3",
            "管理员", "Ordenador 2", "you", "Du", "D U", "h o s t", "h o s t 2", "Tú", "Tu", "AlIe", "a1le", "Alle",
            "ALLE",
            "adm1n", "admln", "Hub-l", "bot-ll", "bot #2", "bot2", "2bot", "0wner", "Some-one", "🎉 You 🎉", "Yoü",
            "no body", "you!",
        ])
    func areReserved(_ name: String) {
        #expect((refusal { _ = try PlayerName(name) })?.code == "name-reserved")
    }

    /// The page's sentences in which a player is called something other than a name.
    @Test(
        "the page's words for players cannot be names, in any of its languages",
        arguments: ["en", "es", "de", "zh"],
        ["you", "someone", "computer", "seats.free", "player.you", "player.host", "end.computer"])
    func areReservedByThePage(language: String, key: String) throws {
        let word = try Self.said(key, in: language)
        for number in ["", "1", "8"] {
            let name = word.replacingOccurrences(of: "{number}", with: number)
            #expect((refusal { _ = try PlayerName(name) })?.code == "name-reserved", "\(name)")
        }
    }

    /// In the page's texts words depend on gender: those of one part belong together.
    @Test("every name that the page suggests can be taken", arguments: ["en", "es", "de", "zh"])
    func proposedNamesAreAllowed(language: String) throws {
        func said(_ key: String) throws -> String { try Self.said(key, in: language) }
        let lists = try ["name.adjectives", "name.animals"].map { key in
            try said(key).split(separator: "|").map { $0.split(separator: " ") }
        }
        let form = try said("name.proposed").replacingOccurrences(of: "{number}", with: "999")
        for (adjectives, animals) in zip(lists[0], lists[1]) {
            for (adjective, animal) in adjectives.flatMap({ one in animals.map { (one, $0) } }) {
                let name = form.replacingOccurrences(of: "{adjective}", with: adjective)
                    .replacingOccurrences(of: "{animal}", with: animal)
                #expect(try PlayerName(name).text == name)
            }
        }
    }

    /// A sentence of the page.
    private static func said(_ key: String, in language: String) throws -> String {
        let project = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = project.appending(path: "web/texts")
        // Some English words are in files of their own, `host.en.js`.
        let tables = try FileManager.default.contentsOfDirectory(atPath: folder.path()).filter { file in
            file == "\(language).js" || file.hasSuffix(".\(language).js")
        }
        let lines = try tables.flatMap { file in
            try String(contentsOf: folder.appending(path: file), encoding: .utf8).split(separator: "\n")
        }
        let line = try #require(lines.first { $0.hasPrefix("  \"\(key)\": ") })
        return String(line.dropFirst("  \"\(key)\": \"".count).dropLast("\",".count))
    }

    @Test("a log with names that are invalid today opens, and their players play under them")
    func olderNames() throws {
        let hub = ScriptedHub()
        // A player who was never registered by a request.
        hub.witness.isOn = false
        let token = SHA256.digest(of: "an older one").bytes.base64URL
        let hash = try #require(PlayerToken(token)).hash
        let (id, name, folded) = ("0123456789abcdef", "\u{410}nna (host)", "\u{430}nna (host)")
        let streams: [StreamName] = [.account(id), .name(folded), .token(hash)]
        var ends = streams.map(\.start)
        let given = NameGiven(account: id, name: name, folded: folded, salt: "00").event(at: hub.now)
        let tokenGiven = TokenGiven(account: id, salt: "00").event(at: hub.now)
        ends[1].advance(by: given)
        ends[2].advance(by: tokenGiven)
        let device = AccountEvent.Device(id: "d", tokenHash: hash, label: "", head: ends[2].head, by: .registration)
        let events: [AccountEvent] = [
            .opened(id: id, salt: "00"), .named(name: name, folded: folded, end: ends[1]), .deviceAdded(device),
        ]
        let parts = zip(streams, [events.map { $0.event(at: hub.now) }, [given], [tokenGiven]])
            .map { Commit.Part.append($1, to: $0, expecting: $0.start) }
        hub.log.append(Commit(id: "older", parts: parts), ticket: 1, answer: AppendAnswers())
        hub.crash(downtime: 1_000, keepsRows: false)
        let room = hub.request("POST", "/api/rooms", token: token, body: ["game": "memory"])
        #expect(room.status == 201)
        let code = try #require(room.fields["code"]?.string)
        #expect(
            hub.request("GET", "/api/rooms/\(code)").fields["names"]?.object?["0123456789abcdef"]
                == "\u{410}nna (host)")
        #expect(hub.request("DELETE", "/api/players/me", token: token).status == 204)
    }

    private func refusal(_ act: () throws -> Void) -> Rejection? {
        do { try act() } catch { return error as? Rejection }
        return nil
    }
}
