/// What became of a commit, before anybody is told. The three cases are the contract's rules about appending.
enum Judgement: Sendable {
    case written([Record])
    /// The stream holds it already, up to `version`.
    case repeated(version: Int)
    case conflict(actual: Int)

    /// What the one who asked is told, once it is durable.
    var answer: AppendAnswer {
        switch self {
        // A commit has one event or more, hence one record or more.
        case .written(let records): .appended(version: records.last?.version ?? 0)
        case .repeated(let version): .appended(version: version)
        case .conflict(let actual): .conflict(actual: actual)
        }
    }
}

/// What became of an erasure, before anybody is told.
enum ErasureJudgement: Sendable, Equatable {
    case erased(Erasure)
    /// There was no such stream.
    case nothing
    /// The stream ends at another head than the one given; it has `actual` records.
    case conflict(actual: Int)

    var answer: AppendAnswer {
        switch self {
        case .erased, .nothing: .appended(version: 0)
        case .conflict(let actual): .conflict(actual: actual)
        }
    }
}
