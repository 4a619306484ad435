extension Array {
    /// Where the element with this key is, of an array that is in the order of its keys; nil if it has none.
    func index<Key: Comparable>(of key: Key, by keyOf: (Element) -> Key) -> Int? {
        var range = indices
        while let first = range.first {
            let middle = first + range.count / 2
            let found = keyOf(self[middle])
            if found == key { return middle }
            range = found < key ? middle + 1..<range.upperBound : first..<middle
        }
        return nil
    }
}
