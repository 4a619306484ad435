import Games

/// The earlier of two times, where nil is never. Makes no array, since it is called for each event.
public func earlier(_ one: Milliseconds?, _ other: Milliseconds?) -> Milliseconds? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}
