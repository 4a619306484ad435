import RoomRules
import Rooms
import Transport
import WebProtocols

/// A connection whose socket is at another node, as its room's home sees it.
final class RelayedChannel: MemberChannel {
    let peer: Peer
    private let id: RelayedID
    let group: RelayGroup
    private let window: GreetingWindow
    /// Bytes of the client's messages that the relay does not know have arrived.
    private var unheard = 0
    /// The number of the newest greeting; 0 before the first.
    private var greeting = 0
    /// Whether broadcasts after that greeting were not sent to it.
    private(set) var isFull = false
    /// Whether it waits for the window.
    private var isWaiting = false
    var isServedLast = false {
        didSet { if isServedLast != oldValue { group.tell(.servedLast(id, isServedLast)) } }
    }

    init(_ id: RelayedID, of peer: Peer, in group: RelayGroup, _ window: GreetingWindow) {
        (self.id, self.peer, self.group, self.window) = (id, peer, group, window)
    }

    /// The home does not know how much is queued at the relay, only whether it is too much.
    var queuedBytes: Int { isFull ? 1 : 0 }

    func send(_ frame: Frame) { group.tell(.answer(id, Array(frame.payload))) }

    func sendReplaceable(_ frame: Frame) { group.tell(.replaceable(id, Array(frame.payload))) }

    func greet(_ frames: [Frame]) -> Bool {
        let texts = frames.map { Array($0.payload) }
        guard window.reserve(texts.reduce(0) { $0 + $1.count }, for: id, isWaiting: isWaiting) else {
            (isFull, isWaiting) = (true, true)
            // Its last greeting may be from a history that is lost.
            if greeting > 0 { pause() }
            return false
        }
        greeting += 1
        (isFull, isWaiting) = (false, false)
        group.tell(.greeting(id, number: greeting, texts))
        return true
    }

    func broadcast(_ frame: Frame, number: UInt64) { group.broadcast(frame, number: number) }

    func pause() { group.tell(.paused(id)) }

    func close(_ code: CloseCode, _ reason: String) { group.tell(.close(id, code, reason)) }

    // MARK: From the relay

    /// A message of this many bytes has arrived from the client.
    func heard(_ bytes: Int) {
        unheard += bytes
        guard unheard >= RelayedConnection.unheardLimit / 8 else { return }
        group.tell(.heard(id, unheard))
        unheard = 0
    }

    /// It no longer waits for the window: it is closed, or will be greeted anyway.
    func stopWaiting() { (isFull, isWaiting) = (false, false) }

    /// False if a greeting is on its way that replaces everything left out.
    func becomesFull(since greeting: Int) -> Bool {
        guard greeting == self.greeting else { return false }
        isFull = true
        return true
    }

    /// False in that case too.
    func drains(since greeting: Int) -> Bool {
        guard isFull, greeting == self.greeting else { return false }
        isFull = false
        return true
    }
}
