/// Collects the lines of a request, each ended by CR and LF (RFC 9112 section 2.2), however they are split. Throws for
/// the first byte that breaks a rule.
struct LineReader: Equatable, Sendable {
    /// The line so far, without its end.
    private(set) var line: [UInt8] = []
    private var sawCarriageReturn = false
    private var isWhole = false

    /// Whether nothing of a further line has arrived.
    var isEmpty: Bool { isWhole || line.isEmpty && !sawCarriageReturn }

    /// Reads from `offset` on and returns whether `line` is whole; the next call starts another. The line with its end
    /// may have `lineLimit` bytes, or `lineViolation` is thrown. All bytes read are taken off `budget`; when it runs
    /// out, `budgetViolation` is thrown.
    mutating func read(
        _ bytes: RawSpan, at offset: inout Int, lineLimit: Int, lineViolation: HTTPViolation, budget: inout Int,
        budgetViolation: HTTPViolation
    ) throws(HTTPViolation) -> Bool {
        if isWhole {
            line.removeAll(keepingCapacity: true)
            isWhole = false
        }
        while offset < bytes.byteCount {
            let run = plainRun(bytes, at: offset)
            if !sawCarriageReturn, run > 0 {
                let fits = min(run, lineLimit - line.count, budget)
                line.append(bytes.extracting(offset..<offset + fits))
                offset += fits
                budget -= fits
                if fits == run { continue }
            }
            guard line.count + (sawCarriageReturn ? 1 : 0) < lineLimit else { throw lineViolation }
            guard budget > 0 else { throw budgetViolation }
            let byte = bytes.byte(at: offset)
            offset += 1
            budget -= 1
            if sawCarriageReturn {
                guard byte == 0x0A else { throw .bareCarriageReturn }
                sawCarriageReturn = false
                isWhole = true
                return true
            }
            switch byte {
            case 0x0D: sawCarriageReturn = true
            case 0x0A: throw .bareLineFeed
            default: throw .controlCharacter(byte)
            }
        }
        return false
    }

    /// How many bytes from `offset` on are plain characters of the line.
    private func plainRun(_ bytes: RawSpan, at offset: Int) -> Int {
        var end = offset
        while end < bytes.byteCount, bytes.byte(at: end).isLineCharacter { end += 1 }
        return end - offset
    }
}
