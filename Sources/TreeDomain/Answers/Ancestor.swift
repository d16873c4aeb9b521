package import JSON

/// A node on the path from the root to another node, written without other members.
package enum Ancestor {
  /// Writes an ancestor as an object.
  ///
  /// - Parameters:
  ///   - key: The key's bytes.
  ///   - index: The position among the visible rows; `nil` while hidden.
  ///   - depth: The depth. A root has 0.
  ///   - writer: The output.
  package static func write(key: Span<UInt8>, index: Int?, depth: Int, to writer: inout JSONWriter)
  {
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
