/// Requests of one loop to others, or to other threads, that wait for their replies. A request takes its number along,
/// since closures cannot leave the loop.
struct PendingReplies<Reply> {
    private var waiting: [UInt64: (Reply) -> Void] = [:]
    private var lastNumber: UInt64 = 0

    /// Returns the number of a new request. `then` is called with its reply.
    mutating func add(_ then: @escaping (Reply) -> Void) -> UInt64 {
        lastNumber += 1
        waiting[lastNumber] = then
        return lastNumber
    }

    /// Removes the request, and returns what to call with its reply; nil if it has had one.
    mutating func remove(_ number: UInt64) -> ((Reply) -> Void)? { waiting.removeValue(forKey: number) }
}
