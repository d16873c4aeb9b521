import JSON

/// Merges pages of trees that several instances have listed.
enum TreePageMerge {
  private struct Page {
    var trees: [(id: [UInt8], text: ArraySlice<UInt8>)] = []
    /// The id after which the list continues; nil at its end.
    var next: [UInt8]?
  }

  /// Returns one page, in the order of ids.
  ///
  /// If a page is not the last one of its instance, later ids are unknown, so the merged page ends
  /// there at the latest. A moving tree that two instances list occurs once.
  ///
  /// - Parameters:
  ///   - contents: The pages as JSON.
  ///   - limit: The maximum number of trees; 1 or more.
  /// - Returns: The page as JSON; nil if one of the contents is not a page.
  /// - Complexity: O(bytes + *n* log *n*) for *n* trees.
  static func merge(_ contents: [[UInt8]], limit: Int) -> [UInt8]? {
    var pages: [Page] = []
    for content in contents {
      guard let page = try? page(content) else { return nil }
      pages.append(page)
    }
    let bound = pages.compactMap(\.next).min { $0.lexicographicallyPrecedes($1) }
    var trees = pages.flatMap(\.trees).sorted { $0.id.lexicographicallyPrecedes($1.id) }
    for index in trees.indices.dropFirst().reversed() where trees[index].id == trees[index - 1].id {
      trees.remove(at: index)
    }
    let known = trees.prefix { tree in bound.map { !$0.lexicographicallyPrecedes(tree.id) } ?? true
    }
    let listed = known.prefix(limit)
    let hasMore = bound != nil || listed.count < known.count
    return write(listed.map(\.text), next: hasMore ? listed.last?.id : nil)
  }

  private static func page(_ content: [UInt8]) throws(JSONError) -> Page {
    var page = Page()
    var reader = JSONReader(content)
    try reader.beginObject()
    while let name = try reader.nextMember() {
      if name.equals(Array("trees".utf8), in: content) {
        try reader.beginArray()
        while try reader.nextElement() {
          let range = try reader.skipValue()
          page.trees.append((try id(of: content, in: range), content[range]))
        }
      } else if name.equals(Array("next".utf8), in: content), try reader.peekKind() == .string {
        page.next = try reader.readString().decoded(from: content)
      } else {
        _ = try reader.skipValue()
      }
    }
    try reader.finish()
    return page
  }

  /// Returns the id of a tree's description.
  private static func id(of content: [UInt8], in range: Range<Int>) throws(JSONError) -> [UInt8] {
    var reader = JSONReader(content, in: range)
    try reader.beginObject()
    while let name = try reader.nextMember() {
      if name.equals(Array("tree".utf8), in: content) {
        return try reader.readString().decoded(from: content)
      }
      _ = try reader.skipValue()
    }
    throw JSONError(.unexpectedEnd, at: range.upperBound)
  }

  private static func write(_ trees: [ArraySlice<UInt8>], next: [UInt8]?) -> [UInt8] {
    var bytes = Array(#"{"trees":["#.utf8)
    bytes += trees.joined(separator: [UInt8(ascii: ",")])
    bytes += #"],"next":"#.utf8
    var writer = JSONWriter()
    if let next { writer.string(next[...]) } else { writer.null() }
    bytes += writer.finish()
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}
