package import JSON

/// A page of the list of shared trees, sorted by id.
package struct TreePage: Equatable, Sendable {
  /// The trees.
  package var trees: [TreeDescription]
  /// The id after which the list continues; `nil` at its end.
  package var next: TreeID?

  /// Makes a page.
  package init(trees: [TreeDescription], next: TreeID? = nil) {
    self.trees = trees
    self.next = next
  }

  /// Writes the page as an object.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("trees")
    writer.beginArray()
    for tree in trees { tree.write(to: &writer) }
    writer.endArray()
    writer.name("next")
    if let next { writer.string(next.bytes[...]) } else { writer.null() }
    writer.endObject()
  }
}
