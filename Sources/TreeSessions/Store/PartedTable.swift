/// A hash table in parts, each of which grows, shrinks and is visited by itself.
///
/// With a million entries, growing one part moves some four thousand of them. A single hash table
/// would move all at once, while event loops wait for its lock.
struct PartedTable<Key: Hashable, Value> {
  /// The number of parts.
  static var partCount: Int { 256 }

  private var parts = [[Key: Value]](repeating: [:], count: partCount)
  /// The number of entries.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The value of a key; nil if it is not in the table.
  ///
  /// Removing entries frees memory once most of a part is unused.
  ///
  /// - Complexity: O(1) on average, and at most O(entries of a part).
  subscript(_ key: Key) -> Value? {
    get { parts[Self.part(of: key)][key] }
    set {
      let part = Self.part(of: key)
      let before = parts[part].count
      parts[part][key] = newValue
      count += parts[part].count - before
      if newValue == nil { parts[part].giveBackRoom() }
    }
  }

  /// Changes the value of a key in place.
  ///
  /// - Returns: The result of the function; nil if the key is not in the table.
  /// - Complexity: O(1) on average.
  mutating func update<Result>(_ key: Key, _ change: (inout Value) -> Result) -> Result? {
    let part = Self.part(of: key)
    guard let place = parts[part].index(forKey: key) else { return nil }
    return change(&parts[part].values[place])
  }

  /// Removes a key and returns its value; nil if it is not in the table.
  ///
  /// - Complexity: O(1) on average, and at most O(entries of a part).
  mutating func removeValue(forKey key: Key) -> Value? {
    let part = Self.part(of: key)
    guard let value = parts[part].removeValue(forKey: key) else { return nil }
    count -= 1
    parts[part].giveBackRoom()
    return value
  }

  /// Returns the entries of one part.
  ///
  /// - Complexity: O(1).
  func part(_ index: Int) -> [Key: Value] { parts[index] }

  /// Removes the entries of one part that do not satisfy a condition.
  ///
  /// - Complexity: O(entries of the part).
  mutating func filterPart(_ index: Int, _ isKept: (Value) -> Bool) {
    let before = parts[index].count
    parts[index] = parts[index].filter { isKept($0.value) }
    count += parts[index].count - before
  }

  /// The entries, in no particular order.
  var entries: some Sequence<(key: Key, value: Value)> { parts.lazy.joined() }

  private static func part(of key: Key) -> Int {
    Int(UInt(bitPattern: key.hashValue) >> (UInt.bitWidth - partCount.trailingZeroBitCount))
  }
}

extension Dictionary {
  /// Frees memory if less than a quarter of the capacity is used.
  ///
  /// - Complexity: O(entries) if it frees memory, otherwise O(1).
  mutating func giveBackRoom() {
    guard count * 4 < capacity else { return }
    var packed = Dictionary(minimumCapacity: count)
    for (key, value) in self { packed[key] = value }
    self = packed
  }
}
