package import JSON
package import TreeEngine

/// A node in an export: a line that an import accepts.
package struct ExportLine: Sendable {
  /// The key's bytes.
  package var key: ArraySlice<UInt8>
  /// The parent's key; `nil` at a root.
  package var parent: ArraySlice<UInt8>?
  /// The object as raw JSON.
  ///
  /// Empty for `null`.
  package var object: ArraySlice<UInt8>
  /// The state of the children.
  package var childState: ChildState
  /// True if lines of children follow.
  package var hasChildren: Bool
  /// The expected number of children that were not supplied yet.
  package var hint: Int?
  /// The section of a root, in a tree with sections.
  package var section: ArraySlice<UInt8>?

  /// Makes a line.
  package init(
    key: ArraySlice<UInt8>,
    parent: ArraySlice<UInt8>?,
    object: ArraySlice<UInt8>,
    childState: ChildState,
    hasChildren: Bool,
    hint: Int? = nil,
    section: ArraySlice<UInt8>? = nil
  ) {
    self.key = key
    self.parent = parent
    self.object = object
    self.childState = childState
    self.hasChildren = hasChildren
    self.hint = hint
    self.section = section
  }

  /// Writes the line with its line break.
  ///
  /// Defaults of an import are left out: no parent, the object `null`, and `children` of a leaf or
  /// of a node whose children follow. The states `loading` and `failed` are written as `unloaded`.
  package func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("key")
    writer.string(key)
    if let parent {
      writer.name("parent")
      writer.string(parent)
    }
    if let section {
      writer.name("section")
      writer.string(section)
    }
    if !object.isEmpty, !object.elementsEqual("null".utf8) {
      writer.name("object")
      writer.raw(onOneLine)
    }
    if !hasChildren { writeChildren(to: &writer) }
    writer.endObject()
    writer.endLine()
  }

  /// The object without line breaks.
  ///
  /// In valid JSON, line breaks occur outside of strings only, where they are white space.
  private var onOneLine: ArraySlice<UInt8> {
    guard object.contains(where: { $0 == 0x0a || $0 == 0x0d }) else { return object }
    return ArraySlice(object.map { $0 == 0x0a || $0 == 0x0d ? 0x20 : $0 })
  }

  private func writeChildren(to writer: inout JSONWriter) {
    switch childState {
    case .leaf: return
    case .loaded:
      writer.name("children")
      writer.beginArray()
      writer.endArray()
    case .unloaded, .loading, .failed:
      writer.name("children")
      writer.string("unloaded" as StaticString)
      if let hint {
        writer.name("childCount")
        writer.integer(hint)
      }
    }
  }
}

/// An export of a tree at one revision, read in pieces.
package protocol TreeExport: Sendable {
  /// The tree's revision.
  var revision: Revision { get }

  /// Returns some more whole lines; `nil` at the end.
  func next() -> [UInt8]?
}
