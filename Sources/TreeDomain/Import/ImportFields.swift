import JSON
import TreeEngine

/// The members of a line.
enum ImportField: Int, CaseIterable {
  case key, parent, object, children, childCount, section
  static let table = FieldTable<ImportField> { "\($0)" }
}

/// The members of a line that were read.
struct ImportFields: ObjectFields {
  typealias Field = ImportField

  var seen = SeenMembers()
  var key: ByteSlice?
  var parent = ParentReference.absent
  var object: ByteSlice?
  var childState = ChildState.leaf
  var hint: Int32?
  var section: ByteSlice?

  /// Reads `key`, `parent` and `object` if they come first.
  @inline(__always)
  mutating func parseQuickly(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) {
    _ =
      parseNext(.key, #""key":"#, &quick, text, limits)
      && parseNext(.parent, #","parent":"#, &quick, text, limits)
      && parseNext(.object, #","object":"#, &quick, text, limits)
  }

  @inline(__always)
  mutating func take(
    _ field: ImportField,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    switch field {
    case .key:
      guard let key = quick.key(text, limits) else { return false }
      self.key = key
    case .parent:
      guard let parent = quick.parent(text, limits) else { return false }
      self.parent = parent
    case .object:
      guard let value = quick.rawValue(text, limits) else { return false }
      object = value
    case .children:
      guard let state = quick.unlistedChildren(text) ?? quick.emptyList(text) else { return false }
      childState = state
    case .childCount:
      guard let count = quick.integer(text) else { return false }
      hint = Int32(truncatingIfNeeded: count)
    case .section:
      guard let name = quick.sectionName(text) else { return false }
      section = name
    }
    return true
  }
}

extension ImportField: QuickField {
  @inline(__always)
  init?(_ name: PackedName) {
    switch name {
    case "key": self = .key
    case "parent": self = .parent
    case "object": self = .object
    case "children": self = .children
    case "childCount": self = .childCount
    case "section": self = .section
    default: return nil
    }
  }

  var position: Int { rawValue }
}
