/// An array in parts of bounded size.
///
/// The first write to a copy of a standard array copies all elements. Here it copies one part, so
/// that a write beside a copy takes about the same time, however long the array is.
///
/// In contrast to ``ChunkedArray``, elements may contain references.
struct PartedArray<Element> {
  private(set) var parts: [[Element]] = []

  /// The number of elements in a full part.
  private static var partCount: Int { 1 << shift }
  private static var shift: Int { 5 }

  init() {}

  init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Adds an element at the end.
  mutating func append(_ element: Element) {
    if parts.last.map({ $0.count == Self.partCount }) ?? true { parts.append([]) }
    parts[parts.count - 1].append(element)
  }

  /// Removes the last element, and frees its part if that is empty.
  mutating func removeLast() {
    parts[parts.count - 1].removeLast()
    if parts[parts.count - 1].isEmpty { parts.removeLast() }
  }

  /// The memory of the array, without what its elements refer to, in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    guard let last = parts.last else { return parts.byteCount }
    let full = Self.partCount * MemoryLayout<Element>.stride + heapObjectBytes
    return parts.byteCount + (parts.count - 1) * full + last.byteCount
  }
}

extension PartedArray: Sendable where Element: Sendable {}

extension PartedArray: RandomAccessCollection, MutableCollection {
  var startIndex: Int { 0 }

  var endIndex: Int {
    parts.isEmpty ? 0 : (parts.count - 1) << Self.shift + parts[parts.count - 1].count
  }

  /// Accesses an element.
  ///
  /// - Complexity: O(1). A write to a shared part copies the part.
  subscript(index: Int) -> Element {
    @inline(__always)
    _read { yield parts[index >> Self.shift][index & (Self.partCount - 1)] }
    @inline(__always)
    _modify { yield &parts[index >> Self.shift][index & (Self.partCount - 1)] }
  }
}
