import Hub

// Only WebSockets and deadlines wake rooms: what is asked of one does not, on the loop that asks or on the room's own.
extension HubProcess {
    func received(_ letter: HubLetter, on loop: Int) {
        if letter.isQuestion {
            wakingNone { hub.received(letter, on: loop) }
        } else {
            hub.received(letter, on: loop)
        }
    }

    func wakingNone(_ body: () -> Void) {
        let before = hub.awakeRooms
        body()
        if isAlive, hub.awakeRooms > before { world.fail("a request to a room wakes none", "one is awake now") }
    }
}
