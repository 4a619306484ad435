import Cryptography
import Hub
import ReferenceModel
import Transport
import WebProtocols

/// A person who comes to play, with a name, one or more devices, and habits.
final class Person {
    /// The person's index in this world.
    let slot: Int
    /// Identifies the person, no matter who else exists.
    let number: Int
    unowned let world: World
    var choices: Choices
    let peer: Peer
    private(set) var devices: [Device] = []
    /// The hub's id of the player; nil before the hub has said it.
    var id: String? {
        didSet {
            if let oldValue { world.people(named: oldValue, is: nil) }
            if let id { world.people(named: id, is: self) }
        }
    }
    /// How often the player was forgotten, and how often another name was taken.
    var lives = 0
    /// The life in which it last took a new name.
    private var nameLife = 0
    var names = 0
    /// A code that adds a device, from the hub.
    var linkCode: String?
    var recoveryCode: String?
    private var lastCommand = 0
    private var lastToken = 0
    /// Of devices that once were the player's.
    private var oldTokens: [String] = []
    /// By room, the number of the nonce that was last promised.
    var nonces: [String: Int] = [:]
    /// World time of its next action.
    private var nextAct = Int.max
    /// Mean microseconds between two actions.
    private let pace: Int
    /// In percent: how often it does something other than play.
    private let whims: Int
    /// Whether, as a host, it lets computers play for absent players.
    let isHelpful: Bool
    /// World time until which its messages are late.
    var slowUntil = 0
    /// World time until which it only watches.
    var looksOnUntil = 0
    /// World time until which it is away.
    private var awayUntil = 0

    init(_ number: Int, in world: World) {
        (slot, self.number, self.world) = (world.people.count, number, world)
        choices = Choices(seed: world.settings.seed, part: 1_000 + UInt64(number))
        guard let address = IPAddress("192.0.2.\(number % 250 + 1)") else { preconditionFailure("it is an address") }
        peer = Peer(address: address, isTLS: false, isLimited: true)
        pace = choices.number(in: 300...1_500) * 1_000
        whims = choices.element(of: [2, 10, 30, 60])
        isHelpful = choices.chance(1, in: 2)
        addDevice()
    }

    /// Letters that no two people share, so that a name identifies its person.
    var name: String {
        let letters = Array("abcdefghkpqrstuvwxyz")
        let digits = [number / 20 % 20, number % 20, nameLife % 20, names / 20 % 20, names % 20]
        return "P" + String(digits.map { letters[$0] })
    }

    @discardableResult
    func addDevice(token: String? = nil) -> Device {
        lastToken += 1
        let newToken = SHA256.digest(of: "token \(world.settings.seed) \(number) \(lastToken)").bytes.base64URL
        let device = Device(token: token ?? newToken)
        devices.append(device)
        return device
    }

    func releaseDevices() { for device in devices { (device.link, device.lobby) = (nil, nil) } }

    func drop(_ device: Device) {
        device.lobby.map { world.hangUp($0, keeping: .max) }
        device.link.map { world.hangUp($0, keeping: .max) }
        devices.removeAll { $0 === device }
    }

    /// The player was forgotten, and another one begins.
    func startNewLife() {
        oldTokens += devices.map(\.token)
        for device in devices { drop(device) }
        lives += 1
        // Some take the free name again, some the token of a device, which has no player now.
        if choices.chance(1, in: 2) { nameLife = lives }
        (id, linkCode, recoveryCode, nonces) = (nil, nil, nil, [:])
        addDevice(token: oldTokens.isEmpty || choices.chance(1, in: 2) ? nil : choices.element(of: oldTokens))
    }

    /// An action planned for another time was put off, or done already.
    func actIfDue() {
        guard nextAct <= world.now else { return }
        nextAct = .max
        guard awayUntil <= world.now else { return act(after: awayUntil - world.now) }
        // Some pauses are long, so that at times no one does anything.
        act(after: choices.chance(1, in: 200) ? 60 * pace : choices.number(in: 1...12 * pace))
        act()
    }

    /// Something has happened that it waits for.
    func nudge() { if awayUntil <= world.now { act(after: choices.number(in: 1...2 * pace)) } }

    func isIn(_ code: String) -> Bool { devices.contains { $0.room == code } }

    /// Leaves without a word, and returns to the same rooms after so many minutes, or up to twice as many.
    func stayAway(minutes: Int) {
        stayAway(until: world.now + minutes * choices.number(in: 60...120) * 1_000_000)
    }

    func stayAway(until time: Int) {
        awayUntil = max(awayUntil, time)
        for device in devices {
            device.link.map { world.hangUp($0, keeping: .max) }
            device.lobby.map { world.hangUp($0, keeping: .max) }
        }
    }

    /// Acts after so many microseconds, if not before.
    func act(after pause: Int) {
        guard world.now + pause < nextAct else { return }
        nextAct = world.now + pause
        world.schedule(.act, after: pause, index: slot)
    }

    private func act() {
        let device = devices.count == 1 ? devices[0] : choices.element(of: devices)
        if device.stuckUntil <= world.now {
            read(device)
        } else {
            for link in [device.link, device.lobby] { link.map { world.model.reads($0.number, false) } }
        }
        if device.isLost { return lose(device) }
        guard !world.processes.isEmpty else { return }
        if device.isWaiting || !device.isKnown || device.link == nil || !device.isGreeted { nudge() }
        guard !device.isWaiting else { return }
        guard device.isKnown else { return becomeKnown(device) }
        if device.stuckUntil > world.now, let link = device.link { return gorge(device, link) }
        guard let link = device.link else { return comeIn(device) }
        guard device.isGreeted, let code = device.room else { return }
        if looksOnUntil > world.now { return look(device, in: code) }
        let isWhim = !world.fates.isQuiet && choices.number(below: 100) < whims
        if isWhim { return world.whims.act(self, device, link, in: code) }
        if world.fates.isQuiet, choices.chance(1, in: 10) { return look(device, in: code) }
        guard let sight = world.model.sight(of: code) else { return }
        play(sight, device, link, in: code)
    }

    /// The hub no longer knows its token.
    func lose(_ device: Device) {
        drop(device)
        if devices.isEmpty { startNewLife() }
    }

    // MARK: Reading

    private func read(_ device: Device) {
        if let lobby = device.lobby {
            world.model.reads(lobby.number, true)
            if lobby.read({ _ in }) { world.linkDrained(lobby) }
            if !lobby.isOpenAtClient { device.lobby = nil }
        }
        guard let link = device.link else { return }
        world.model.reads(link.number, true)
        let wasFull = link.read { device.frameArrived($0) }
        if world.isCluster, let code = device.room {
            device.head = world.model.head(of: code, at: device.version, seenOn: link.number)
        }
        if wasFull { world.linkDrained(link) }
        if !link.isOpenAtClient { lose(device, link) }
    }

    /// The connection is gone. The client returns after a pause.
    private func lose(_ device: Device, _ link: Link) {
        device.hangUp()
        device.pausesUntil = world.now + choices.number(in: 0...2_000_000)
        // A room that accepts no one is left alone.
        if link.closeCode == 1008 || link.closeCode == 1011 { device.forgetRoom() }
    }

    // MARK: Saying

    func send(_ text: String, on link: Link) { send(Array(text.utf8), on: link) }

    func send(_ bytes: [UInt8], on link: Link) {
        guard link.isOpenAtClient else { return }
        let latency = world.now < slowUntil ? choices.number(in: 1_000...5_000_000) : choices.number(in: 100...20_000)
        link.lastArrival = max(link.lastArrival, world.now + latency)
        world.send(.message(link, bytes), to: link.loop, of: link.process, at: link.lastArrival)
    }

    /// A command with its own id; `fields` follow the id, each after a comma.
    func command(_ type: String, _ fields: String = "", _ device: Device, _ link: Link) {
        lastCommand += 1
        let id = "\(number)-\(lastCommand)"
        let text = #"{"type":"\#(type)","id":"\#(id)"\#(fields)}"#
        // People give up on commands that are never answered.
        if device.pending.count >= 40 { device.pending.removeFirst() }
        device.pending.append((id, text))
        send(text, on: link)
    }

    /// The value of a text member of a JSON object, without escapes. Works on bytes, because some answers are long.
    static func text(_ name: String, in answer: [UInt8]) -> String? {
        let mark = Array("\"\(name)\":\"".utf8)
        guard answer.count > mark.count else { return nil }
        for start in 0..<(answer.count - mark.count) where answer[start] == mark[0] {
            guard answer[start..<start + mark.count].elementsEqual(mark) else { continue }
            return String(decoding: answer[(start + mark.count)...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        }
        return nil
    }
}
