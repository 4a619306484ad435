import JSON
import Testing

@Suite("Fields") struct FieldsTests {
    @Test(
        "merging keeps the order of any number of fields, and the later value counts",
        arguments: [(2, 3), (40, 40), (300, 300)])
    func merging(count: Int, others: Int) {
        let fields = Fields((0..<count).map { ("a\($0)", .integer($0)) })
        let other = Fields((0..<others).map { ($0 % 2 == 0 ? "a\($0)" : "b\($0)", .string("new")) })
        var expected = fields
        for (name, value) in other.elements { expected[name] = value }
        #expect(fields.merging(other) == expected)
        #expect(other.merging([:]) == other && Fields().merging(other) == other)
    }
}
