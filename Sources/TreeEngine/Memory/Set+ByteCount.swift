extension Set {
  /// The bytes of the room for its elements, without what these refer to.
  ///
  /// - Complexity: O(1).
  var byteCount: Int { hashTableBytes(capacity: capacity, stride: MemoryLayout<Element>.stride) }
}

extension Dictionary {
  /// The bytes of the room for its entries, without what these refer to.
  ///
  /// - Complexity: O(1).
  package var byteCount: Int {
    let stride = MemoryLayout<Key>.stride + MemoryLayout<Value>.stride
    return hashTableBytes(capacity: capacity, stride: stride)
  }
}

/// The bytes of a hash table of the standard library: it has a power of two of buckets, of which at
/// most three quarters are used, and a bit for each of them.
private func hashTableBytes(capacity: Int, stride: Int) -> Int {
  if capacity == 0 { return 0 }
  var buckets = 1
  while buckets * 3 / 4 < capacity { buckets *= 2 }
  return buckets * stride + buckets / 8 + heapObjectBytes
}
