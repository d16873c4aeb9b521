import JSON
import TreeDomain
import TreeEngine

/// The bytes of a text.
func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

/// The text of some bytes.
func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// What a function writes.
func written(_ write: (inout JSONWriter) -> Void) -> String {
  var writer = JSONWriter()
  write(&writer)
  return text(writer.finish())
}

/// The error of a body that must be refused; `nil` when it is accepted.
func refusal<Value>(_ decode: () throws(ServiceError) -> Value) -> ServiceError? {
  do throws(ServiceError) {
    _ = try decode()
    return nil
  } catch {
    return error
  }
}

/// The error of a batch that must be refused.
func refusal(
  ofBatch json: String,
  limits: DecodingLimits = DecodingLimits()
) -> ServiceError? {
  refusal { () throws(ServiceError) in try Batch.decode(body: utf8(json), limits: limits) }
}

/// A batch in a short notation, one line an operation.
func notation(_ batch: Batch) -> [String] {
  batch.operations.map { batch.notation(of: $0) }
}

extension Batch {
  fileprivate func notation(of operation: Operation) -> String {
    switch operation {
    case .insert(let range, let parent, let place):
      "insert \(nodes(in: range)) in \(name(parent)) \(at(place))"
    case .put(let range, let parent, let place, let givesChildren):
      "put \(nodes(in: range)) in \(parent.notation(in: self)) \(at(place))"
        + (givesChildren ? " with children" : "")
    case .update(let key, .replace(let object)): "update \(name(key)) = \(name(object))"
    case .update(let key, .merge(let patch)): "update \(name(key)) + \(name(patch))"
    case .remove(let key): "remove \(name(key))"
    case .move(let keys, let parent, let place):
      "move \(names(keys)) in \(name(parent)) \(at(place))"
    case .expand(let key, let levels): "expand \(name(key)) \(levels)"
    case .collapse(let key, let levels): "collapse \(name(key)) \(levels)"
    case .toggle(let key, let levels): "toggle \(name(key)) \(levels)"
    case .expandAll: "expandAll"
    case .collapseAll: "collapseAll"
    case .reveal(let keys): "reveal \(names(keys))"
    }
  }

  fileprivate func name(_ slice: ByteSlice?) -> String { slice.map { text(self[$0]) } ?? "-" }

  private func names(_ slices: [ByteSlice]) -> String {
    slices.map { name($0) }.joined(separator: ",")
  }

  private func nodes(in range: Range<Int>) -> String {
    nodes[range].map { node in
      "\(node.depth):\(text(self[node.key]))=\(text(self[node.object])):\(node.childState)"
    }.joined(separator: " ")
  }

  private func at(_ place: Place) -> String {
    switch place {
    case .default: "default"
    case .index(let index): "index \(index)"
    case .before(let key): "before \(name(key))"
    case .after(let key): "after \(name(key))"
    case .first: "first"
    case .sorted(let order): "sorted \(written { order.write(to: &$0) })"
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
