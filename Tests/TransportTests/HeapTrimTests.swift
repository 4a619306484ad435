import Testing

@testable import Transport

@Suite("Free memory beyond 16 MiB is given back") struct HeapTrimTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let testDescription: String
        /// In MiB: resident, used, and resident after trimming; nil if it must not be trimmed.
        let looks: [(resident: Int, used: Int, then: Int?)]

        init(_ sentence: String, _ looks: [(resident: Int, used: Int, then: Int?)]) {
            (testDescription, self.looks) = (sentence, looks)
        }
    }

    @Test(
        arguments: [
            Case("used memory is kept, however much it is", [(40, 10, nil), (540, 510, nil)]),
            Case("what is free is kept up to a limit", [(40, 10, nil), (56, 10, nil), (57, 10, 41)]),
            Case("a peak that was in use is given back when it is over", [(40, 10, nil), (90, 60, nil), (90, 10, 40)]),
            Case(
                "what cannot be given back is not tried again before there is more",
                [(40, 10, nil), (90, 10, 90), (90, 10, nil), (106, 10, nil), (107, 10, 107)]),
            Case("what has gone by itself counts no more", [(40, 0, nil), (90, 0, 90), (40, 0, nil), (57, 0, 40)]),
        ])
    func looks(row: Case) {
        var heap = HeapTrim()
        for (index, look) in row.looks.enumerated() {
            let isWorthwhile = heap.isWorthwhile(resident: look.resident << 20, used: look.used << 20)
            #expect(isWorthwhile == (look.then != nil), "look \(index)")
            if let then = look.then { heap.recordRest(resident: then << 20, used: look.used << 20) }
        }
    }
}
