/// Who waits for a room to be known.
protocol RoomVisitor: AnyObject {
    func roomIsKnown(_ room: Room)
}
