import JSON

extension Value {
    /// A value at random: at most four levels of lists and objects, with few elements each.
    public static func random(using random: inout SeededGenerator, depth: Int = 0) -> Value {
        switch Int.random(in: 0..<(depth > 3 ? 5 : 7), using: &random) {
        case 0: .null
        case 1: .bool(.random(using: &random))
        case 2: .integer(.random(in: -1 << 29..<1 << 29, using: &random))
        case 3: .fraction(Double(Int.random(in: 0..<1 << 30, using: &random)) / 7 + 0.5)
        case 4: .string(text(using: &random))
        case 5:
            .list((0..<Int.random(in: 0..<4, using: &random)).map { _ in .random(using: &random, depth: depth + 1) })
        default:
            .object(
                Fields(
                    (0..<Int.random(in: 0..<4, using: &random)).map {
                        ("f\($0)", .random(using: &random, depth: depth + 1))
                    }))
        }
    }

    /// One to nine scalars, half of them ASCII.
    private static func text(using random: inout SeededGenerator) -> String {
        let scalars = (0..<Int.random(in: 1..<10, using: &random)).map { _ in
            let limit: UInt32 = .random(using: &random) ? 128 : 0x11_0000
            return Unicode.Scalar(.random(in: 0..<limit, using: &random)) ?? "🐧"
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
