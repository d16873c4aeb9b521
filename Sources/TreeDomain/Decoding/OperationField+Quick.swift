import JSON

extension OperationField: QuickField {
  @inline(__always)
  init?(_ name: PackedName) {
    switch name {
    case "op": self = .op
    case "key": self = .key
    case "parent": self = .parent
    case "object": self = .object
    case "index": self = .index
    case "merge": self = .merge
    case "children": self = .children
    case "levels": self = .levels
    case "before": self = .before
    case "after": self = .after
    case "first": self = .first
    case "section": self = .section
    case "keys": self = .keys
    case "childCount": self = .childCount
    case "select": self = .select
    case "subtree": self = .subtree
    default: return nil
    }
  }

  var position: Int { rawValue }
}

extension OperationName {
  @inline(__always)
  init?(_ name: PackedName) {
    switch name {
    case "insert": self = .insert
    case "update": self = .update
    case "remove": self = .remove
    case "move": self = .move
    case "setChildren": self = .setChildren
    case "expand": self = .expand
    case "collapse": self = .collapse
    case "select": self = .select
    case "deselect": self = .deselect
    case "reveal": self = .reveal
    case "toggle": self = .toggle
    default: return nil
    }
  }
}
