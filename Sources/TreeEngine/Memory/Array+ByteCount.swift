/// The bytes that a heap object takes beside its elements, those of the allocator included.
let heapObjectBytes = 48

extension Array {
  /// The bytes of the room for its elements, without what these refer to.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    capacity == 0 ? 0 : capacity * MemoryLayout<Element>.stride + heapObjectBytes
  }
}
