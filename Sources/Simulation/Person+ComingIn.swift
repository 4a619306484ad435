// How a person registers with a hub and enters a room.
extension Person {
    func becomeKnown(_ device: Device) {
        if id == nil || devices.first === device { return register(device) }
        let code = linkCode ?? recoveryCode
        guard let code else { return lose(device) }
        // A code works once, and some people try it again.
        if choices.chance(4, in: 5) { linkCode = nil }
        let body = #"{"code":"\#(code)","token":"\#(device.token)"}"#
        world.ask("POST", "/api/players/devices", of: self, device, body: body) { [self] status, _ in
            switch status {
            case 200, 201:
                device.isKnown = true
                if linkCode != nil, devices.count < 4 { addDevice() }
            case 404, 409: lose(device)
            default: break
            }
        }
    }

    private func register(_ device: Device) {
        let body = #"{"name":"\#(name)","token":"\#(device.token)"}"#
        world.ask("POST", "/api/players", of: self, device, body: body) { [self] status, answer in
            switch status {
            case 200, 201:
                device.isKnown = true
                id = Self.text("id", in: answer)
            case 409:
                // The token may have another name, from a request that was never answered.
                if Self.text("code", in: answer) == "token-has-name" { return lose(device) }
                names += 1
            default: break
            }
        }
    }

    func comeIn(_ device: Device) {
        guard world.now >= device.pausesUntil else { return }
        if device.room == nil {
            if world.wantsRoom(&choices) { return openRoom(device) }
            guard let code = world.someRoom(&choices) else { return }
            device.room = code
        }
        guard let code = device.room else { return }
        device.isWaiting = true
        world.request("GET", "/ws/rooms/" + code, from: peer) { [self] answer in
            device.isWaiting = false
            switch answer {
            case .upgrade(let process, let loop, let purpose):
                guard let link = world.open(purpose, of: self, on: loop, process) else { return }
                device.link = link
                link.device = device
                greet(device, link, in: code)
            case .response(let status, _):
                if status == 404 { device.forgetRoom() }
                device.pausesUntil = world.now + choices.number(in: 100...5_000) * 1_000
            case .broken: device.pausesUntil = world.now + choices.number(in: 0...3_000) * 1_000
            }
        }
    }

    func openRoom(_ device: Device) {
        let body = world.openings.next(&choices)
        world.ask("POST", "/api/rooms", of: self, device, body: body) { [self] status, answer in
            guard status == 201, let code = Self.text("code", in: answer) else { return }
            world.rooms.append(code)
            if device.room == nil { device.room = code }
        }
    }

    /// The first messages on a new connection, and what was left unanswered on the last one.
    private func greet(_ device: Device, _ link: Link, in code: String) {
        var hello = #"{"type":"hello","token":"\#(device.token)""#
        if device.version > 0, choices.chance(7, in: 8) {
            hello += #","after":\#(device.version)"#
            if choices.chance(1, in: 2), let head = device.head ?? world.model.head(of: code, at: device.version) {
                hello += #","head":"\#(head)""#
            }
        }
        send(hello + "}", on: link)
        for command in device.pending { send(command.text, on: link) }
    }
}
