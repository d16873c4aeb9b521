/// The overhead of a heap object in bytes, that of the allocator included.
let heapObjectBytes = 48

extension Array {
  /// The memory of the elements, unused capacity included, without what the elements refer to.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    capacity == 0 ? 0 : capacity * MemoryLayout<Element>.stride + heapObjectBytes
  }
}

extension Set {
  /// The memory of the elements, unused capacity included, without what the elements refer to.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { hashTableBytes(capacity: capacity, stride: MemoryLayout<Element>.stride) }
}

extension Dictionary {
  /// The memory of the entries, unused capacity included, without what the entries refer to.
  ///
  /// - Complexity: O(1).
  package var byteCount: Int {
    let stride = MemoryLayout<Key>.stride + MemoryLayout<Value>.stride
    return hashTableBytes(capacity: capacity, stride: stride)
  }
}

/// Returns the memory of a hash table of the standard library, in bytes.
///
/// Its number of buckets is a power of two. At most three quarters of them are used. It also has
/// one bit for each bucket.
private func hashTableBytes(capacity: Int, stride: Int) -> Int {
  if capacity == 0 { return 0 }
  var buckets = 1
  while buckets * 3 / 4 < capacity { buckets *= 2 }
  return buckets * stride + buckets / 8 + heapObjectBytes
}

extension Array {
  /// Removes all elements, and keeps the capacity if it is at most `count`.
  ///
  /// - Complexity: O(*n*).
  @inline(__always)
  mutating func removeAll(keepingRoomFor count: Int) {
    guard capacity <= count else { return self = [] }
    // Mostly there is one element. Removing it costs a third of replacing the array.
    while !isEmpty { removeLast() }
  }
}
