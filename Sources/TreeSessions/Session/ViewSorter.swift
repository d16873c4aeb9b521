import TreeDomain
import TreeEngine

/// Sorts siblings by the descriptors of a session's `viewSort`; sections stay as they are.
final class ViewSorter: SiblingSorter {
  typealias Width = Fanout<64>

  private let order: SortOrder
  private let meter: WorkMeter
  /// Sort keys that were read recently.
  private var keys: [NodeID: SortKey] = [:]

  /// The maximum number of keys that are kept.
  private static var maxKeys: Int { 1_024 }

  init(_ order: SortOrder, counting meter: WorkMeter) {
    (self.order, self.meter) = (order, meter)
  }

  func sort(
    _ children: inout [NodeID],
    of parent: NodeID,
    in tree: borrowing EngineTree
  ) throws(Interruption) {
    guard parent != .forestRoot else { return }
    let siblings = children
    children = try meter.interrupting { () throws(ServiceError) in
      var keys = SortKeys(order, capacity: siblings.count)
      for node in siblings {
        let subject = Self.subject(node, in: tree)
        try meter.count(order.steps(toRead: subject))
        keys.append(subject)
      }
      return try keys.sorted(counting: meter.count).map { siblings[$0] }
    }
  }

  func compare(
    _ left: NodeID,
    _ right: NodeID,
    in tree: borrowing EngineTree
  ) throws(Interruption) -> Int {
    guard tree.parent(of: left) != .forestRoot else { return 0 }
    return try meter.interrupting { () throws(ServiceError) in
      let (first, second) = (try key(of: left, in: tree), try key(of: right, in: tree))
      return first == second ? 0 : first < second ? -1 : 1
    }
  }

  private func key(
    of node: NodeID,
    in tree: borrowing EngineTree
  ) throws(ServiceError) -> SortKey {
    if let known = keys[node] { return known }
    let subject = Self.subject(node, in: tree)
    try meter.count(order.steps(toRead: subject))
    if keys.count == Self.maxKeys { keys = [:] }
    let key = order.key(of: subject)
    keys[node] = key
    return key
  }

  private static func subject(
    _ node: NodeID,
    in tree: borrowing EngineTree
  ) -> SortOrder.Subject {
    let object = tree.object(of: node)
    let bytes = object.isEmpty ? EngineTree.null[...] : object
    return SortOrder.Subject(key: tree.key(of: node), object: bytes)
  }
}
