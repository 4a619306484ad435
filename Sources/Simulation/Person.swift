import Cryptography
import Hub
import Transport
import WebProtocols

/// Somebody who plays: with a token, a name, and now and then a connection to a room.
final class Person {
    let slot: Int
    /// Names the person, whoever else is there.
    let number: Int
    private unowned let world: World
    var choices: Choices
    let peer: Peer
    private let token: String
    private var isRegistered = false
    private var isWaiting = false
    private var link: Link?
    private var lastCommand = 0

    init(_ number: Int, in world: World) {
        (slot, self.number, self.world) = (world.people.count, number, world)
        var choices = Choices(seed: world.settings.seed, part: 1_000 + UInt64(number))
        guard let address = IPAddress("192.0.2.\(number % 250 + 1)") else { preconditionFailure("it is an address") }
        peer = Peer(address: address, isTLS: false, isLimited: true)
        token = SHA256.digest(of: "token \(choices.next())").bytes.base64URL
        self.choices = choices
    }

    private var name: String {
        let letters = Array("abcdefghkpqrstuvwxyz")
        return "Player" + String([letters[number / 20 % 20], letters[number % 20]])
    }

    /// Does something, and says when next.
    func act() {
        world.schedule(.act, after: choices.number(in: 200_000...3_000_000), index: slot)
        guard !isWaiting, world.process != nil else { return }
        if !isRegistered { return register() }
        guard let link, link.isOpenAtClient else { return enter() }
        read(link)
        guard link.view.isGreeted else { return }
        say(on: link)
    }

    // MARK: Coming in

    private func register() {
        isWaiting = true
        let body = #"{"name":"\#(name)","token":"\#(token)"}"#
        world.request("POST", "/api/players", body: Array(body.utf8), from: peer) { [self] answer in
            isWaiting = false
            if case .response(let status, _) = answer, status == 201 || status == 200 { isRegistered = true }
        }
    }

    private func enter() {
        link = nil
        if world.rooms.isEmpty || choices.chance(1, in: 4) && world.rooms.count < 50 { return openRoom() }
        let code = choices.element(of: world.rooms)
        isWaiting = true
        world.request("GET", "/ws/rooms/" + code, from: peer) { [self] answer in
            isWaiting = false
            guard case .upgrade(let loop, let purpose) = answer else { return }
            guard let link = world.open(purpose, of: self, on: loop) else { return }
            self.link = link
            send(#"{"type":"hello","token":"\#(token)"}"#, on: link)
        }
    }

    private func openRoom() {
        isWaiting = true
        let body = #"{"game":"\#(choices.element(of: ["memory", "reversi", "connect-four"]))","options":{}}"#
        world.request("POST", "/api/rooms", token: token, body: Array(body.utf8), from: peer) { [self] answer in
            isWaiting = false
            guard case .response(201, let body) = answer else { return }
            let text = String(decoding: body, as: UTF8.self)
            guard let range = text.firstRange(of: #""code":""#) else { return }
            world.rooms.append(String(text[range.upperBound...].prefix { $0 != "\"" }))
        }
    }

    // MARK: Talking

    private func read(_ link: Link) {
        let wasFull = link.read { frame in
            if !link.view.isGreeted, !frame.isEvent { link.view.isGreeted = true }
        }
        if wasFull, let process = world.process {
            world.send(.drained(link), to: link.loop, of: process, at: world.now)
        }
    }

    private func send(_ text: String, on link: Link) {
        let time = max(link.lastArrival, world.now + choices.number(in: 100...5_000))
        link.lastArrival = time
        world.send(.message(link, Array(text.utf8)), to: link.loop, of: link.process, at: time)
    }

    private func say(on link: Link) {
        lastCommand += 1
        let id = "\(number)-\(lastCommand)"
        let command =
            switch choices.number(below: 20) {
            case 0: #""type":"sit""#
            case 1: #""type":"start""#
            case 2: #""type":"propose","what":"rematch""#
            case 3: choices.chance(1, in: 10) ? #""type":"leave""# : #""type":"here""#
            case 4: #""type":"bot","seat":\#(choices.number(below: 3)),"level":"easy""#
            case 5: #""type":"drop","column":\#(choices.number(below: 7))"#
            case 6: #""type":"place","cell":\#(choices.number(below: 64))"#
            default: #""type":"flip","cell":\#(choices.number(below: 16))"#
            }
        send(#"{"id":"\#(id)",\#(command)}"#, on: link)
    }
}
