extension Watcher {
  /// Writes the view.
  ///
  /// The entries of its history follow.
  func write(to writer: inout ByteWriter) {
    guard !view.isVacant else { return writer.append(false) }
    writer.append(true)
    view.write(to: &writer)
    writer.append(set: selected.nodes)
    writer.append(layering?.order == .breadthFirst)
    writer.append(aside != nil)
    if let aside {
      aside.write(to: &writer)
      writer.append(set: layering?.layer?.filter?.members.nodes(matched: true) ?? [])
    }
    writer.append(count: history.oldest)
    writer.append(count: history.log.count)
  }
}

extension View {
  func write(to writer: inout ByteWriter) {
    writer.append(rule)
    writer.append(set: toggles.nodes)
  }
}

extension NodeTable<FilterMember> {
  /// Returns the members that match, or those that do not, in no particular order.
  func nodes(matched: Bool) -> [NodeID] {
    var nodes: [NodeID] = []
    forEach { node, member in
      if member.isMatched == matched { nodes.append(node) }
    }
    return nodes
  }
}
