public import JSON

/// A node on the way from the root to another; its slice is in the arena of its answer.
public struct Ancestor: Equatable, Sendable {
  /// The key's bytes.
  public var key: ByteSlice
  /// The position among the visible rows; `nil` while hidden.
  public var index: Int?
  /// 0 at a root.
  public var depth: Int

  /// Makes an ancestor.
  public init(key: ByteSlice, index: Int?, depth: Int) {
    self.key = key
    self.index = index
    self.depth = depth
  }

  /// Writes ancestors as an array of objects.
  public static func write(
    _ ancestors: [Ancestor],
    to writer: inout JSONWriter,
    from arena: [UInt8]
  ) {
    writer.beginArray()
    for ancestor in ancestors {
      writer.beginObject()
      writer.name("key")
      writer.string(arena[ancestor.key.range])
      writer.name("index")
      writer.integer(orNull: ancestor.index)
      writer.name("depth")
      writer.integer(ancestor.depth)
      writer.endObject()
    }
    writer.endArray()
  }
}
