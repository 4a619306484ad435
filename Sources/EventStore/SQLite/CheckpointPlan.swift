/// When the write-ahead log is copied into the file.
struct CheckpointPlan {
    /// Pages (of 4 KiB) written between two checkpoints: bounds the write-ahead log, and the time to open after a
    /// crash.
    static let pages = 4_096
    /// The same while erased data is still in the write-ahead log: tried again soon, and by an idle log, but not with
    /// each batch while a long read is under way.
    static let owedPages = 64

    /// Erased data may still be in the write-ahead log, because a reader was in the way.
    var owesThorough: Bool
    private var pagesWritten = 0

    init(owesThorough: Bool) { self.owesThorough = owesThorough }

    /// Whether a checkpoint is due after so many more pages, or because it must be thorough.
    mutating func isDue(pagesWritten pages: Int, isThorough: Bool) -> Bool {
        pagesWritten += pages
        owesThorough = owesThorough || isThorough
        guard isThorough || pagesWritten >= (owesThorough ? Self.owedPages : Self.pages) else { return false }
        pagesWritten = 0
        return true
    }

    /// The file was opened again, which includes a checkpoint.
    mutating func logOpened(hasErased: Bool) {
        pagesWritten = 0
        owesThorough = owesThorough || hasErased
    }
}
