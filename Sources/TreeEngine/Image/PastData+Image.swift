extension PastData {
  func write(to writer: inout ByteWriter) {
    writer.append(count: number)
    writer.append(count: readings.count)
    for (node, before) in readings {
      writer.append(node)
      let flags: UInt8 =
        before.childState.rawValue | (before.object == nil ? 0 : 8)
        | (before.childCount == nil ? 0 : 16)
      writer.append(flags)
      if let digest = before.object {
        writer.append(fixed: digest.first)
        writer.append(fixed: digest.second)
      }
      if let count = before.childCount { writer.append(signed: Int(count)) }
    }
    writer.append(count: removed.count)
    for node in removed { writer.append(node) }
    writer.append(count: moved.count)
    for node in moved { writer.append(node) }
  }

  /// Reads an entry that ``write(to:)`` has written.
  ///
  /// - Parameters:
  ///   - reader: The input.
  ///   - nodeIDs: The number of node ids.
  /// - Throws: ``ImageError/damaged``.
  init(from reader: inout ByteReader, nodeIDs: Int) throws(ImageError) {
    self.init(number: try reader.count())
    for _ in 0..<(try reader.count(upTo: reader.remaining)) {
      let node = try reader.node(of: nodeIDs)
      let flags = try reader.byte()
      guard flags < 32, let state = ChildState(rawValue: flags & 7) else { throw .damaged }
      var before = Reading(object: nil, childState: state, childCount: nil)
      if flags & 8 > 0 {
        let first = try reader.fixed(UInt64.self)
        before.object = ObjectDigest(first: first, second: try reader.fixed())
      }
      if flags & 16 > 0 { before.childCount = try reader.number(near: 0) }
      readings.append((node, before))
    }
    for _ in 0..<(try reader.count(upTo: reader.remaining)) {
      removed.append(try reader.node(of: nodeIDs))
    }
    for _ in 0..<(try reader.count(upTo: reader.remaining)) {
      moved.append(try reader.node(of: nodeIDs))
    }
  }
}
