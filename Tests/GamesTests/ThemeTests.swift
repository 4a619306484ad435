import Cryptography
import Foundation
import Testing

@testable import Games

@Suite("Memory: themes") struct ThemeTests {
    @Test("each theme has its own name")
    func names() {
        #expect(Set(Theme.all.map(\.name)).count == Theme.all.count)
        #expect(Theme.named(Memory.Options.randomTheme) == nil)
        #expect(Theme.named(Memory.Options.defaultTheme) != nil)
    }

    @Test("there is a theme of each sort that a room may ask for")
    func sorts() {
        let all = Theme.all
        #expect(all.filter { $0.kind == .emoji && $0.faces.count >= 12 }.count >= 12)
        #expect(all.filter { $0.kind == .pictures }.contains { $0.faces.count >= 12 })
        #expect(all.filter { $0.colour.count > 1 }.count >= 2, "gradients")
        #expect(
            all.contains { if case .fixed(let pairs) = $0.pairs { pairs < $0.faces.count } else { false } },
            "a fixed number below its faces")
        #expect(all.contains { if case .drawn(let range) = $0.pairs { range.count > 1 } else { false } })
    }

    @Test("every theme can be dealt", arguments: Theme.all)
    func faces(theme: Theme) {
        #expect((Theme.fewestFaces...Theme.mostFaces).contains(theme.faces.count))
        #expect(theme.faces.allSatisfy { !$0.isEmpty && $0.utf8.count <= 40 })
        if theme.kind == .emoji {
            // One grapheme cluster, which is drawn as an emoji by itself.
            #expect(theme.faces.allSatisfy { $0.count == 1 } && theme.faces.count >= 12)
            #expect(theme.faces.allSatisfy { $0.unicodeScalars.first?.properties.isEmojiPresentation == true })
        }
        switch theme.pairs {
        case .all: break
        case .fixed(let pairs): #expect((Theme.fewestFaces...theme.faces.count).contains(pairs))
        case .drawn(let range):
            #expect(range.lowerBound >= Theme.fewestFaces && range.upperBound <= theme.faces.count)
        }
    }

    @Test("no theme has two faces that look alike", arguments: Theme.all)
    func distinct(theme: Theme) {
        let plain = theme.faces.map { face in
            let scalars = face.unicodeScalars.filter { !(0xFE00...0xFE0F).contains($0.value) }
            return String(String.UnicodeScalarView(scalars)).precomposedStringWithCompatibilityMapping.lowercased()
        }
        #expect(Set(plain).count == theme.faces.count)
    }

    @Test("the page knows every theme's colours", arguments: Theme.all)
    func colours(theme: Theme) {
        #expect(!theme.colour.isEmpty)
        for colour in theme.colour { #expect(Theme.colours.contains(colour)) }
    }

    @Test("numbers are 1 to 48")
    func numbers() { #expect(Theme.named("numbers")?.faces == (1...48).map(String.init)) }

    @Test("the 48 characters cannot be confused")
    func characters() throws {
        let faces = try #require(Theme.named("characters")?.faces)
        #expect(faces.count == 48 && faces.allSatisfy { $0.count == 1 })
        for group in ["O0oQ°", "Il1|i!¡", "B8ß", "S5s", "Z2z", "G6b", "-–_", "xX×"] {
            // One of each group, or a letter next to a sign that clearly differs from it.
            let found = faces.filter { group.contains($0) }
            #expect(found.count <= 1, "\(found)")
        }
    }

    @Test("the page's file has exactly the pictures of the themes")
    func pictures() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let file = try String(contentsOf: root.appending(path: "web/games/memory/pictures.svg"), encoding: .utf8)
        let symbols = file.matches(of: #/<symbol id="(?<name>[a-z]+)" viewBox="0 0 64 64">/#).map { String($0.name) }
        let faces = Theme.all.filter { $0.kind == .pictures }.flatMap(\.faces)
        #expect(Set(symbols).count == symbols.count && Set(symbols) == Set(faces))
        #expect(!file.contains("href") && !file.contains("style") && !file.contains("<script"))
    }

    @Test("a face that is repeated counts once")
    func repeated() { #expect(Theme("twice", "🐶 🐱 🐶 🐭", colour: "red").faces == ["🐶", "🐱", "🐭"]) }

    @Test("every board and theme has as many pairs as the board, or as the theme has faces", arguments: Theme.all)
    func reduction(theme: Theme) throws {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        for (columns, rows) in MemoryBoardTests.sizes {
            let setup = try Memory.setup(
                ["theme": .string(theme.name), "columns": .integer(columns), "rows": .integer(rows)], players: 2,
                draw: &draw)
            let asked = columns * rows / 2
            if asked <= theme.faces.count {
                #expect(setup.board == Memory.Board(columns: columns, rows: rows))
            } else {
                #expect(setup.board == Memory.Board(pairs: theme.faces.count))
                #expect(setup.board.pairs <= theme.faces.count)
            }
            let dealt = Memory.Deck.dealt(setup, from: SHA256.digest(of: "\(columns)x\(rows)")).deck
            #expect(Set(dealt.filter { $0 != Memory.Card.noFace }).count == setup.board.pairs)
        }
    }

    @Test("every face of a theme comes up", arguments: Theme.all)
    func noDeadFace(theme: Theme) throws {
        var draw = RandomWords(seed: SHA256.digest(of: "draw"))
        let setup = try Memory.setup(["theme": .string(theme.name), "pairs": 6], players: 2, draw: &draw)
        var shown: Set<UInt8> = []
        for game in 0..<200 {
            shown.formUnion(Memory.Deck.dealt(setup, from: SHA256.digest(of: "face \(game)")).deck)
        }
        #expect(shown.count == theme.faces.count)
    }
}
