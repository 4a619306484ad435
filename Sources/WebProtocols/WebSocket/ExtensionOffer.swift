/// A member of `Sec-WebSocket-Extensions` (RFC 6455 section 9.1): an extension with its parameters, in order.
struct ExtensionOffer: Equatable, Sendable {
    struct Parameter: Equatable, Sendable {
        let name: String
        let value: String?
    }

    let name: String
    let parameters: [Parameter]

    /// The members of a field's value, first choice first; nil if it is malformed.
    static func list(_ field: String) -> [ExtensionOffer]? {
        var reader = Reader(rest: Substring(field).utf8)
        reader.passesComma()
        var offers: [ExtensionOffer] = []
        repeat {
            guard let name = reader.token() else { return nil }
            var parameters: [Parameter] = []
            while reader.takes(";") {
                guard let name = reader.token() else { return nil }
                guard reader.takes("=") else {
                    parameters.append(Parameter(name: name, value: nil))
                    continue
                }
                guard let value = reader.value() else { return nil }
                parameters.append(Parameter(name: name, value: value))
            }
            offers.append(ExtensionOffer(name: name, parameters: parameters))
        } while reader.passesComma()
        return reader.isAtEnd ? offers : nil
    }

    private struct Reader {
        var rest: Substring.UTF8View

        var isAtEnd: Bool { rest.isEmpty }

        /// Whether `character` comes next. If so, it is skipped with the blanks around it.
        mutating func takes(_ character: Character) -> Bool {
            skipBlanks()
            guard let byte = character.asciiValue, rest.first == byte else { return false }
            rest.removeFirst()
            return true
        }

        /// Whether another member follows. Empty ones do not count (RFC 9110 section 5.6.1).
        @discardableResult mutating func passesComma() -> Bool {
            var isPassed = false
            while takes(",") { isPassed = true }
            return isPassed && !isAtEnd
        }

        mutating func token() -> String? {
            skipBlanks()
            let end = rest.firstIndex { !$0.isTokenCharacter } ?? rest.endIndex
            defer {
                rest = rest[end...]
                skipBlanks()
            }
            return end == rest.startIndex ? nil : String(Substring(rest[..<end]))
        }

        /// A token, or a quoted string whose content is a token too.
        mutating func value() -> String? {
            guard takes("\"") else { return token() }
            var text: [UInt8] = []
            while let byte = rest.popFirst() {
                switch byte {
                case UInt8(ascii: "\""):
                    skipBlanks()
                    let value = String(decoding: text, as: UTF8.self)
                    return value.isToken ? value : nil
                case UInt8(ascii: "\\"): text += rest.popFirst().map { [$0] } ?? []
                default: text.append(byte)
                }
            }
            return nil
        }

        private mutating func skipBlanks() { rest = rest.drop(while: \.isBlank) }
    }
}
