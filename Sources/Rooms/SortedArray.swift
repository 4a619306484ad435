extension Array {
    /// The index of the element with this key, in an array in the order of its keys; nil if there is none.
    public func index<Key: Comparable>(of key: Key, by keyOf: (Element) -> Key) -> Int? {
        let index = firstIndex(from: key, by: keyOf)
        return index < endIndex && keyOf(self[index]) == key ? index : nil
    }

    /// The index of the first element whose key is not below this one; the end if there is none.
    public func firstIndex<Key: Comparable>(from key: Key, by keyOf: (Element) -> Key) -> Int {
        var range = indices
        while let first = range.first {
            let middle = first + range.count / 2
            range = keyOf(self[middle]) < key ? middle + 1..<range.upperBound : first..<middle
        }
        return range.lowerBound
    }
}
