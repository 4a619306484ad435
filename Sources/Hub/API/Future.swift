import EventStore
import JSON

/// A value that is there at once or comes later, on the same loop; or an error in its place, and then nothing more is
/// done. It begins when it is asked for its value, which is done once.
struct Future<Value> {
    typealias Done = (Result<Value, RequestError>) -> Void

    /// Begins, and calls what it is given with what comes of it.
    let begin: (@escaping Done) -> Void

    init(_ begin: @escaping (@escaping Done) -> Void) { self.begin = begin }

    static func value(_ value: Value) -> Future { Future { $0(.success(value)) } }

    /// What the log or the read models answer; 503 where they cannot.
    static func reading(_ ask: @escaping (@escaping (Result<Value, EventLogError>) -> Void) -> Void) -> Future {
        Future { done in ask { done($0.mapError { RequestError($0) }) } }
    }

    /// The rows that `query` finds; 503 where the read models cannot be read.
    static func rows<Row>(_ query: ReadModelQuery<Row>, of models: ReadModels) -> Future where Value == [Row] {
        reading { models.find(query, then: $0) }
    }

    /// Goes on with what comes of the value.
    func then<Next>(_ next: @escaping (Value) throws(RequestError) -> Future<Next>) -> Future<Next> {
        Future<Next> { done in
            begin { result in
                do throws(RequestError) { try next(try result.get()).begin(done) } catch { done(.failure(error)) }
            }
        }
    }

    /// The value, made into another.
    func map<Next>(_ change: @escaping (Value) throws(RequestError) -> Next) -> Future<Next> {
        then { value throws(RequestError) in .value(try change(value)) }
    }
}
