import JSON
import TreeDomain
import TreeEngine

/// Returns the bytes of a text.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Returns the text of some bytes.
func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// Returns the text that a function writes.
func written(_ write: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  write(&writer)
  return text(writer.finish())
}

/// Returns the error of a body, or `nil` if it is accepted.
func refusal<Value>(_ decode: () throws(ServiceError) -> Value) -> ServiceError? {
  do throws(ServiceError) {
    _ = try decode()
    return nil
  } catch {
    return error
  }
}

/// Returns the error of a batch, or `nil` if it is accepted.
func refusal(
  ofBatch json: String,
  limits: DecodingLimits = DecodingLimits()
) -> ServiceError? {
  refusal { () throws(ServiceError) in try Batch.decode(body: utf8(json), limits: limits) }
}

/// Returns a batch in a short notation, one line per operation.
func notation(_ batch: Batch) -> [String] {
  batch.operations.map { batch.notation(of: $0) }
}

extension Batch {
  fileprivate func notation(of operation: Operation) -> String {
    switch operation {
    case .insert(let range, let parent, let section, let place):
      "insert \(nodes(in: range)) in \(name(parent))\(suffix(section)) \(at(place))"
    case .put(let range, let parent, let section, let place, let givesChildren):
      "put \(nodes(in: range)) in \(parent.notation(in: self))\(suffix(section)) \(at(place))"
        + (givesChildren ? " with children" : "")
    case .update(let key, .replace(let object)): "update \(name(key)) = \(name(object))"
    case .update(let key, .merge(let patch)): "update \(name(key)) + \(name(patch))"
    case .remove(let key): "remove \(name(key))"
    case .removeAll(let keys): "remove \(names(keys))"
    case .move(let keys, let parent, let section, let place):
      "move \(names(keys)) in \(name(parent))\(suffix(section)) \(at(place))"
    case .setChildren, .sort: dataNotation(of: operation)
    case .insertSection, .removeSection, .moveSection, .renameSection:
      sectionNotation(of: operation)
    case .view(let operation): notation(of: operation)
    }
  }

  private func notation(of operation: ViewOperation) -> String {
    switch operation {
    case .expand(let key, let levels): "expand \(name(key)) \(levels)"
    case .collapse(let key, let levels): "collapse \(name(key)) \(levels)"
    case .toggle(let key, let levels): "toggle \(name(key)) \(levels)"
    case .expandAll: "expandAll"
    case .collapseAll: "collapseAll"
    case .reveal(let keys, let selects): "reveal \(names(keys))" + (selects ? " select" : "")
    case .select(let target): "select \(notation(of: target))"
    case .deselect(let target): "deselect \(notation(of: target))"
    case .clearSelection: "clearSelection"
    case .expandSection(let section): "expandSection \(name(section))"
    case .collapseSection(let section): "collapseSection \(name(section))"
    }
  }

  private func dataNotation(of operation: Operation) -> String {
    switch operation {
    case .setChildren(.roots(let section), let children):
      "setChildren -\(suffix(section)) \(notation(of: children))"
    case .setChildren(.node(let key), let children):
      "setChildren \(name(key)) \(notation(of: children))"
    case .sort(.everywhere, let order): "sort * \(at(.sorted(order)))"
    case .sort(.roots(let section), let order): "sort -\(suffix(section)) \(at(.sorted(order)))"
    case .sort(.children(let key), let order): "sort \(name(key)) \(at(.sorted(order)))"
    default: ""
    }
  }

  private func sectionNotation(of operation: Operation) -> String {
    switch operation {
    case .insertSection(let section, let index):
      "insertSection \(name(section))" + (index.map { " at \($0)" } ?? "")
    case .removeSection(let section): "removeSection \(name(section))"
    case .moveSection(let section, let index): "moveSection \(name(section)) to \(index)"
    case .renameSection(let section, let new): "renameSection \(name(section)) to \(name(new))"
    default: ""
    }
  }

  private func notation(of target: SelectionTarget) -> String {
    switch target {
    case .keys(let keys): names(keys)
    case .subtree(let key): "all of \(name(key))"
    }
  }

  private func notation(of children: NewChildren) -> String {
    switch children {
    case .nodes(let range): "[\(nodes(in: range))]"
    case .none: "none"
    case .state(let state, let hint): "\(state)" + (hint.map { " of \($0)" } ?? "")
    }
  }

  private func suffix(_ section: ByteSlice?) -> String { section.map { "/\(name($0))" } ?? "" }

  fileprivate func name(_ slice: ByteSlice?) -> String { slice.map { text(self[$0]) } ?? "-" }

  private func names(_ range: PackedRange) -> String {
    keys[range.range].map { name($0) }.joined(separator: ",")
  }

  private func nodes(in range: PackedRange) -> String {
    range.range.map { position in
      let node = nodes[position]
      return "\(node.depth):\(text(self[node.key]))=\(text(self[node.object])):\(node.childState)"
        + (node.hint.map { " of \($0)" } ?? "") + suffix(rootSections[position])
    }.joined(separator: " ")
  }

  private func at(_ place: Place) -> String {
    switch place {
    case .default: "default"
    case .index(let index): "index \(index)"
    case .before(let key): "before \(name(key))"
    case .after(let key): "after \(name(key))"
    case .first: "first"
    case .sorted(let order): "sorted \(written { orders[order].write(to: &$0) })"
    }
  }
}

extension ParentReference {
  fileprivate func notation(in batch: Batch) -> String {
    switch self {
    case .absent: "absent"
    case .root: "root"
    case .node(let key): batch.name(key)
    }
  }
}

extension Filter {
  /// Returns true if a node matches, without a limit of steps.
  func matches(_ subject: SortOrder.Subject) -> Bool {
    do throws(ServiceError) {
      return try matches(subject) { _ in }
    } catch {
      preconditionFailure("counting threw nothing")
    }
  }
}
