import Games

/// The earlier of two times, of which either may never come; made without an array, since it is asked for each event.
public func earlier(_ one: Milliseconds?, _ other: Milliseconds?) -> Milliseconds? {
    guard let one, let other else { return one ?? other }
    return min(one, other)
}
