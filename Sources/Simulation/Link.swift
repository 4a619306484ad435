import Hub
import Rooms
import Transport
import WebProtocols

/// A WebSocket between a client and a hub, seen from the hub's end. What the hub sends waits here until the client
/// reads it.
final class Link: SocketChannel {
    /// What a socket holds for a client that does not read, before anything waits in the hub.
    static let socketBytes = 64 * 1024
    /// If more waits, the transport would close it. Nothing that people do here leads to so much.
    private static let queueLimit = 4 * 1024 * 1024

    /// Never reused.
    let number: Int
    /// Nil for the lobby.
    let room: String?
    let person: Person
    weak var device: Device?
    let loop: Int
    unowned let process: HubProcess
    let peer: Peer
    var isServedLast = false
    /// The hub's end, while it exists.
    var end: (any HubConnection)?
    /// Whether the client, and the hub, still have their ends.
    private(set) var isOpenAtClient = true
    private(set) var isOpenAtHub = true
    /// Whether the hub has sent it anything, which it does only for a room's members.
    private var wasTold = false
    /// Sent, but not read by the client yet.
    private var sent: [Frame] = []
    private var unreadBytes = 0
    /// What the client has sent and would arrive after this time of the world is lost.
    var lostFrom = Int.max
    /// Whether anything has waited in the hub since the client last read.
    private var hadQueue = false
    /// When the last message arrives. No message overtakes another.
    var lastArrival = 0
    /// The code with which the hub has closed it.
    private(set) var closeCode: Int?

    init(_ number: Int, _ purpose: WebSocketPurpose, of person: Person, on loop: Int, _ process: HubProcess) {
        (self.number, self.person, self.loop, self.process) = (number, person, loop, process)
        if case .room(let code) = purpose { room = code } else { room = nil }
        peer = person.peer
    }

    var queuedBytes: Int { max(0, unreadBytes - Self.socketBytes) }

    func send(_ frame: Frame) {
        guard isOpenAtHub else { return }
        wasTold = true
        process.world.frameSent(self, frame)
        guard isOpenAtClient else { return }
        sent.append(frame)
        unreadBytes += frame.bytes.count
        if queuedBytes > 0 { hadQueue = true }
        if queuedBytes > Self.queueLimit {
            process.world.fail(
                "a connection with 4 MiB waiting for it is cut", "connection \(number): \(queuedBytes) bytes")
        }
    }

    func close(_ code: CloseCode, _ reason: String) {
        guard isOpenAtHub else { return }
        if code == .serviceRestart, wasTold, let room { process.sendsAway(from: room) }
        closeCode = Int(code.rawValue)
        process.world.closedByHub(self, code: Int(code.rawValue))
    }

    /// What has arrived, in order. True if the hub has to learn that its queue is empty again.
    func read(_ take: (Frame) -> Void) -> Bool {
        let frames = sent
        sent.removeAll(keepingCapacity: true)
        unreadBytes = 0
        for frame in frames { take(frame) }
        defer { hadQueue = false }
        return hadQueue
    }

    /// The connection breaks. Messages to the client after the first `count` are lost.
    func breakAtClient(keeping count: Int) {
        if count < sent.count { sent.removeLast(sent.count - count) }
        isOpenAtClient = false
    }

    /// The hub is gone.
    func loseHub() { (isOpenAtHub, isOpenAtClient, end) = (false, false, nil) }

    func endAtHub() { isOpenAtHub = false }
    func endAtClient() { isOpenAtClient = false }
    var unreadCount: Int { sent.count }
}
