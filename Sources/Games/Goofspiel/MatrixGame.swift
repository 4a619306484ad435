/// A game of two players who each choose at once: the first a row, the second a column. The first wants the largest
/// value, the second the smallest.
struct MatrixGame {
    let rowCount: Int
    let columnCount: Int
    /// Row by row.
    private let values: [Double]

    /// There is at least one row and one column.
    init(rows: Int, columns: Int, _ value: (_ row: Int, _ column: Int) -> Double) {
        (rowCount, columnCount) = (rows, columns)
        values = (0..<(rows * columns)).map { value($0 / columns, $0 % columns) }
    }

    struct Solution {
        /// What the first player gets on average if both play best.
        let value: Double
        /// How likely the first player chooses each row.
        let rows: [Double]
    }

    /// By the simplex method. With values above 0, the second player's weights y are the largest with `values` y <= 1,
    /// and the first player's are the prices of these limits. (G. Dantzig, A Proof of the Equivalence of the
    /// Programming Problem and the Game Problem, 1951.)
    func solved() -> Solution {
        // One row is the only choice.
        if rowCount == 1 { return Solution(value: values.min() ?? 0, rows: [1]) }
        let shift = 1 - (values.min() ?? 0)
        let width = columnCount + rowCount + 1
        // A row for each limit: its values, its slack, its right side. The last row is the gain of each column.
        var table = Array(repeating: 0.0, count: (rowCount + 1) * width)
        for row in 0..<rowCount {
            for column in 0..<columnCount {
                table[row * width + column] = values[row * columnCount + column] + shift
            }
            table[row * width + columnCount + row] = 1
            table[row * width + width - 1] = 1
        }
        for column in 0..<columnCount { table[rowCount * width + column] = -1 }
        var basis = (0..<rowCount).map { columnCount + $0 }
        // Bland's rule never repeats a basis. The limit only guards against rounding.
        for _ in 0..<(100 * width) {
            let costs = rowCount * width
            guard let column = (0..<(width - 1)).first(where: { table[costs + $0] < -1e-11 }) else { break }
            guard let row = Self.leavingRow(for: column, table, width, basis) else { break }
            Self.pivot(&table, width, row, column)
            basis[row] = column
        }
        let total = table[rowCount * width + width - 1]
        let prices = (0..<rowCount).map { max(0, table[rowCount * width + columnCount + $0]) }
        let sum = prices.reduce(0, +)
        return Solution(value: 1 / total - shift, rows: prices.map { $0 / sum })
    }

    private static func leavingRow(for column: Int, _ table: [Double], _ width: Int, _ basis: [Int]) -> Int? {
        var best: (row: Int, ratio: Double)?
        for row in basis.indices where table[row * width + column] > 1e-11 {
            let ratio = table[row * width + width - 1] / table[row * width + column]
            if let other = best, ratio > other.ratio + 1e-13 { continue }
            if let other = best, ratio > other.ratio - 1e-13, basis[row] > basis[other.row] { continue }
            best = (row, ratio)
        }
        return best?.row
    }

    private static func pivot(_ table: inout [Double], _ width: Int, _ row: Int, _ column: Int) {
        let start = row * width
        let divisor = table[start + column]
        for index in start..<(start + width) { table[index] /= divisor }
        for other in stride(from: 0, to: table.count, by: width) where other != start {
            let factor = table[other + column]
            guard factor != 0 else { continue }
            for index in 0..<width { table[other + index] -= factor * table[start + index] }
        }
    }
}
