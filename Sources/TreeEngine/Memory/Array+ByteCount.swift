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
