import Hub

// Only WebSockets and deadlines wake rooms. A request to a room does not, neither on the requesting loop nor on the
// room's own.
extension HubProcess {
    func letterArrived(_ letter: HubLetter, on loop: Int) {
        if letter.isQuestion {
            wakingNone { hub.letterArrived(letter, on: loop) }
        } else {
            hub.letterArrived(letter, on: loop)
        }
    }

    func wakingNone(_ body: () -> Void) {
        let before = hub.awakeRooms
        body()
        if isAlive, hub.awakeRooms > before { world.fail("a request to a room wakes none", "one is awake now") }
    }
}
