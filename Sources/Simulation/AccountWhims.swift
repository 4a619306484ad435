/// What people do with their accounts.
struct AccountWhims {
    func act(_ whim: Whims.Whim, _ person: Person, _ device: Device) {
        let world = person.world
        switch whim {
        case .rename:
            // Some return to the previous name, which is free now.
            person.names += person.names > 0 && person.choices.chance(1, in: 3) ? -1 : 1
            world.ask("PUT", "/api/players/me/name", of: person, device, body: #"{"name":"\#(person.name)"}"#) { _, _ in
            }
        case .forget:
            guard person.choices.chance(1, in: 4) else { return }
            world.ask("DELETE", "/api/players/me", of: person, device) { status, _ in
                if status == 204 || status == 401 { person.startNewLife() }
            }
        case .linkCode:
            world.ask("POST", "/api/players/me/link-code", of: person, device) { status, answer in
                if status == 201 { person.linkCode = Person.text("code", in: answer) }
            }
        case .recoveryCode:
            world.ask("POST", "/api/players/me/recovery-code", of: person, device) { status, answer in
                if status == 201 { person.recoveryCode = Person.text("code", in: answer) }
            }
        case .newDevice: if person.devices.count < 4, person.linkCode != nil { person.addDevice() }
        case .revoke: revoke(person, device)
        default: world.ask("GET", "/api/players/me", of: person, device) { _, _ in }
        }
    }

    /// Signs out another device of the player.
    private func revoke(_ person: Person, _ device: Device) {
        let world = person.world
        world.ask("GET", "/api/players/me", of: person, device) { status, answer in
            guard status == 200 else { return }
            let text = String(decoding: answer, as: UTF8.self)
            // Each device has its own id, after that of the player.
            let ids = text.matches(of: /"id":"([0-9a-zA-Z-]+)"/).map { String($0.output.1) }.dropFirst()
            guard ids.count > 1 else { return }
            let id = person.choices.element(of: Array(ids))
            world.ask("DELETE", "/api/players/me/devices/" + id, of: person, device) { _, _ in }
        }
    }
}
