package import JSON
package import TreeEngine

extension JSONWriter {
  /// Writes a string, or `null` for `nil`.
  mutating func string(orNull bytes: [UInt8]?) {
    if let bytes { string(bytes[...]) } else { null() }
  }

  /// Writes a string of an arena, or `null` for `nil`.
  mutating func string(orNull slice: ByteSlice?, from arena: [UInt8]) {
    if let slice {
      string(arena[slice.range])
    } else {
      null()
    }
  }

  /// Writes the session and its revision, with which answers read from a session begin.
  mutating func origin(_ session: SessionID, _ revision: Revision) {
    name("session")
    value(roomFor: 64) { out in
      session.put(to: &out)
      out.put(#","revision":"#, Int(revision.number))
    }
  }

  /// Writes strings of an arena as an array.
  mutating func strings(_ slices: [ByteSlice], from arena: [UInt8]) {
    beginArray()
    for slice in slices { string(arena[slice.range]) }
    endArray()
  }

  /// Writes the tree and its revision, with which answers read from a tree begin.
  mutating func origin(_ tree: TreeID, _ revision: Revision) {
    name("tree")
    string(tree.bytes[...])
    name("revision")
    integer(revision.number)
  }
}

extension ChildState {
  /// The name of the state in the contract, as a JSON string.
  var written: StaticString {
    switch self {
    case .leaf: "\"leaf\""
    case .unloaded: "\"unloaded\""
    case .loading: "\"loading\""
    case .failed: "\"failed\""
    case .loaded: "\"loaded\""
    }
  }
}

extension ExpansionRule {
  /// Writes the rule: `"all"`, `"none"` or the number of levels.
  package func write(to writer: inout JSONWriter) {
    switch self {
    case .all: writer.string("all" as StaticString)
    case .none: writer.string("none" as StaticString)
    case .levels(let levels): writer.integer(levels)
    }
  }
}
