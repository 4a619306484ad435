/// Waits until it is known whether a room exists.
protocol RoomVisitor: AnyObject {
    func roomIsKnown(_ room: Room)
}
