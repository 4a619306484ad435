import EventStore

/// A value that comes at once or later, on the same loop, or an error that skips all further steps. It starts when its
/// value is asked for, which happens once.
struct Future<Value> {
    typealias Done = (Result<Value, RequestError>) -> Void

    /// Starts it, and passes its result to the closure.
    let begin: (@escaping Done) -> Void

    init(_ begin: @escaping (@escaping Done) -> Void) { self.begin = begin }

    static func value(_ value: Value) -> Future { Future { $0(.success(value)) } }

    /// The answer of the log or the read models; 503 if they fail.
    static func reading(_ ask: @escaping (@escaping (Result<Value, EventLogError>) -> Void) -> Void) -> Future {
        Future { done in ask { done($0.mapError { RequestError($0) }) } }
    }

    /// The rows that `query` finds; 503 if the read models cannot be read.
    static func rows<Row>(_ query: ReadModelQuery<Row>, of models: ReadModels) -> Future where Value == [Row] {
        reading { models.find(query, then: $0) }
    }

    /// Continues with the future that `next` makes of the value.
    func then<Next>(_ next: @escaping (Value) throws(RequestError) -> Future<Next>) -> Future<Next> {
        Future<Next> { done in
            begin { result in
                do throws(RequestError) { try next(try result.get()).begin(done) } catch { done(.failure(error)) }
            }
        }
    }

    func map<Next>(_ change: @escaping (Value) throws(RequestError) -> Next) -> Future<Next> {
        then { value throws(RequestError) in .value(try change(value)) }
    }
}
