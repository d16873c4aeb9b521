import JSON
import TreeEngine

/// The members of a nested node.
enum NodeField: Int, CaseIterable {
  case key, object, children, childCount, section
  static let table = FieldTable<NodeField> { "\($0)" }
}

/// The members of a node that were read.
struct NodeFields: ObjectFields {
  typealias Field = NodeField

  var seen = SeenMembers()
  var key: ByteSlice?
  var object: ByteSlice?
  var childState = ChildState.leaf
  var hint: Int32?

  /// Reads `key` and `object` if they come first.
  @inline(__always)
  mutating func parseQuickly(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) {
    _ =
      parseNext(.key, #""key":"#, &quick, text, limits)
      && parseNext(.object, #","object":"#, &quick, text, limits)
  }

  @inline(__always)
  mutating func parseValue(
    _ field: NodeField,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    switch field {
    case .key:
      guard let key = quick.key(text, limits) else { return false }
      self.key = key
    case .object:
      guard let value = quick.rawValue(text, limits) else { return false }
      object = value
    case .children:
      guard let state = quick.unlistedChildren(text) else { return false }
      childState = state
    case .childCount:
      guard let count = quick.integer(text) else { return false }
      hint = Int32(truncatingIfNeeded: count)
    case .section: return false
    }
    return true
  }
}

extension NodeField: QuickField {
  @inline(__always)
  init?(_ name: PackedName) {
    switch name {
    case "key": self = .key
    case "object": self = .object
    case "children": self = .children
    case "childCount": self = .childCount
    default: return nil
    }
  }

  var position: Int { rawValue }
}
