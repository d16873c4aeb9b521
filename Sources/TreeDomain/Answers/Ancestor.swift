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
  static func write(
    _ ancestors: [Ancestor],
    to writer: inout JSONWriter,
    from arena: [UInt8]
  ) {
    writer.beginArray()
    for ancestor in ancestors {
      let key = arena.span.extracting(ancestor.key.range)
      write(key: key, index: ancestor.index, depth: ancestor.depth, to: &writer)
    }
    writer.endArray()
  }

  /// Writes an ancestor as an object.
  ///
  /// - Parameters:
  ///   - key: The key's bytes.
  ///   - index: The position among the visible rows; `nil` while hidden.
  ///   - depth: 0 at a root.
  ///   - writer: What it is written to.
  public static func write(key: Span<UInt8>, index: Int?, depth: Int, to writer: inout JSONWriter) {
    writer.value(roomFor: 80 &+ JSONWriter.room(forString: key.count)) { out in
      out.putObject { out in
        out.put(#","key":""#, string: key)
        out.put(#","index":"#)
        out.put(orNull: index)
        out.put(#","depth":"#, depth)
      }
    }
  }
}
