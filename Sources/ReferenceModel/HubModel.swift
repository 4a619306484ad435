/// What a hub has promised, followed step by step: told all that its log holds, all that is said to it and all that it
/// says, it finds the first thing that the protocol or the rules do not allow. It is no hub: it never says what happens
/// next, only whether what has happened may.
///
/// Everything is told in the order in which it happens. Times are milliseconds since 1970.
public final class HubModel {
    /// The first promise that was broken; nil while all hold. What comes behind it is not looked at.
    public private(set) var broken: BrokenPromise?

    public init() {}

    // MARK: The log

    /// A commit is durable: its records, in order. Nobody has heard of them yet.
    public func recorded(_ events: [LoggedEvent]) {}

    /// A stream is durably gone.
    public func erased(_ stream: String) {}

    // MARK: WebSockets

    /// A WebSocket is open, by a number that no other ever had. `room`: its code; nil: the lobby.
    public func opened(_ connection: Int, room: String?) {}

    /// The hub reads this text message.
    public func asked(_ connection: Int, _ message: [UInt8]) {}

    /// The hub sends this: the text message begins at `start` of `bytes`. It may be lost on its way.
    public func told(_ connection: Int, _ bytes: [UInt8], from start: Int) {}

    /// The hub hears that the client has gone, or has closed it itself with `code`.
    public func closed(_ connection: Int, code: Int?) {}

    // MARK: HTTP

    /// The hub reads a request. `token`: the one that it bears.
    public func requested(_ request: Int, method: String, target: String, token: String?, body: [UInt8]) {}

    /// It answers it.
    public func responded(_ request: Int, status: Int, body: [UInt8]) {}

    // MARK: What befalls the hub

    /// A hub has begun to serve, of so many loops: those that were open before are gone, and what was not answered
    /// never is. `last`: when its rooms could last be played, as whoever looks on knows it; `now`: by its clock.
    public func started(loops: Int, lastPlayed: Int?, now: Int) {}

    /// The hub has died.
    public func died() {}

    /// All that had to be done by `now` (hub time) has been done: no fault is under way, nothing is on its way to the
    /// hub or from it but what clients do not read, and each loop has turned at `now`.
    public func cameToRest(at now: Int) {}
}
