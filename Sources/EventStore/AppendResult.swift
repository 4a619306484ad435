import Records

/// What became of a commit, before anybody is told. The cases are the contract's rules about appending.
enum AppendResult: Sendable, Equatable {
    /// What was done, in the order of the commit's parts.
    case written([StreamChange])
    /// One of its streams holds it already: the first that does holds it up to `version`.
    case repeated(version: Int)
    /// The first of its streams that ends otherwise than expected.
    case conflict(StreamName, actual: StreamEnd)
    /// Another run has claimed this one of its streams.
    case claimed(StreamName)
    /// The run that it fences has renewed its lease.
    case renewed

    var changes: [StreamChange] { if case .written(let changes) = self { changes } else { [] } }

    var erasedStreams: [StreamName] {
        changes.compactMap { if case .erased(_, let stream) = $0 { stream } else { nil } }
    }

    /// What the one who asked is told, once it is durable.
    var answer: AppendAnswer {
        switch self {
        case .written(let changes): .appended(version: changes.lazy.compactMap { $0.records?.last }.first?.version ?? 0)
        case .repeated(let version): .repeated(version: version)
        case .conflict(let stream, let actual): .conflict(stream, actual: actual)
        case .claimed(let stream): .claimed(stream)
        case .renewed: .renewed
        }
    }
}

/// What a commit did to one stream.
public enum StreamChange: Sendable, Equatable {
    /// One record or more, in order.
    case records([Record])
    case erased(Erasure, of: StreamName)

    var records: [Record]? { if case .records(let records) = self { records } else { nil } }
}
