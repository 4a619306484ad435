import Records

/// The engine's result of a commit, before anyone is told. The cases are the contract's rules about appending.
enum AppendResult: Sendable, Equatable {
    /// The changes, in the order of the commit's parts.
    case written([StreamChange])
    /// One of its streams has this commit already. `version` is the commit's last record in the first such stream.
    case repeated(version: Int)
    /// The first of its streams that does not end where it is expected to.
    case conflict(StreamName, actual: StreamEnd)
    /// Another run has claimed this stream.
    case claimed(StreamName)
    /// The run that it fences has renewed its lease.
    case renewed

    var changes: [StreamChange] { if case .written(let changes) = self { changes } else { [] } }

    var erasedStreams: [StreamName] {
        changes.compactMap { if case .erased(_, let stream) = $0 { stream } else { nil } }
    }

    /// The answer to the caller, once the result is durable.
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

/// The change that a commit made to one stream.
public enum StreamChange: Sendable, Equatable {
    /// One record or more, in order.
    case records([Record])
    case erased(Erasure, of: StreamName)

    var records: [Record]? { if case .records(let records) = self { records } else { nil } }
}
