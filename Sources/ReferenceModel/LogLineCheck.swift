/// Compares a line of a hub's own log with what operators may read. They learn no secret and nothing of a hand.
struct LogLineCheck {
    /// What is in hands only.
    private static let suits: Set<Unicode.Scalar> = ["♠", "♥", "♦", "♣"]
    /// Names of what has cards in it.
    private static let names: Set = ["hand", "cards", "bid"]
    /// In JSON, and in what Swift prints of values. Sentences have none of them.
    private static let quoting: Set<Character> = ["{", "[", "\"", "="]

    let context: ModelContext

    func run(_ text: String, _ values: [(name: String, value: String)]) {
        let line = ([text] + values.map { "\($0.name)=\($0.value)" }).joined(separator: " ")
        context.checkSecrecy(of: Array(line.utf8))
        context.findings.expect(
            !line.unicodeScalars.contains(where: Self.suits.contains)
                && !values.contains { Self.names.contains($0.name) },
            "no log line shows a card or a bid", line)
        context.findings.expect(
            !([text] + values.map(\.value)).contains(where: Self.isDump),
            "no log line shows a whole message or state", line)
    }

    /// Sentences have a space before each `(`. In `Cards(bits: 3)` there is none.
    private static func isDump(_ text: String) -> Bool {
        text.contains(where: quoting.contains) || zip(text, text.dropFirst()).contains { $0 != " " && $1 == "(" }
    }
}
