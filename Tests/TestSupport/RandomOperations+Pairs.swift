extension RandomOperations {
  /// Returns operations that undo each other, or nearly. A net change list must cancel them.
  mutating func pair(for session: ModelSession) -> [ModelOperation] {
    guard let key = random.element(of: session.keys), let node = session.tree.nodes[key] else {
      return [.expandAll, .collapseAll]
    }
    let twin = ModelNestedNode(key, object: node.object)
    let fresh = ModelNestedNode("fresh")
    let parent = node.parent?.key
    let position = session.row(of: key)?.position ?? 0
    if session.tree.hasSections, random.oneIn(3) { return moves(along: node, of: session) }
    switch random.number(in: 0...7) {
    case 0: return [.toggle(key, levels: .count(1)), .toggle(key, levels: .count(1))]
    case 1: return [.insert(fresh, parent: key, place: .first), .remove("fresh")]
    case 2:
      let section =
        session.tree.hasSections && parent == nil
        ? session.tree.section(of: node).name : nil
      let place = ModelPlace.index(position)
      return [.remove(key), .insert(twin, parent: parent, section: section, place: place)]
    case 3:
      return [
        .update(key, object: RandomObjects.object(&random)), .update(key, object: node.object),
      ]
    case 4:
      let place = ModelPlace.index(position)
      return [
        .move([key], parent: nil, place: .first), .move([key], parent: parent, place: place),
      ]
    case 5:
      let siblings = session.tree.siblings(of: node).map(\.key)
      return siblings.map { .move([$0], parent: parent, place: .index(siblings.count - 1)) }
    case 6: return moveAndBack(node, of: session)
    default:
      let inside = [accepted(by: session)]
      return [.collapse(key, levels: .count(1))] + inside + [.expand(key, levels: .count(1))]
    }
  }

  /// Moves a node away and back, with another operation in between or after.
  private mutating func moveAndBack(
    _ node: ModelNode,
    of session: ModelSession
  ) -> [ModelOperation] {
    let place = ModelPlace.index(session.row(of: node.key)?.position ?? 0)
    let away = ModelOperation.move([node.key], parent: nil, place: .first)
    let back = ModelOperation.move([node.key], parent: node.parent?.key, place: place)
    let inside = random.element(of: node.subtree.dropFirst().map(\.key))
    let move = inside.map { ModelOperation.move([$0], parent: node.key, place: .unspecified) }
    let others = [move ?? accepted(by: session)]
    return random.oneIn(2) ? [away] + others + [back] : [away, back] + others
  }

  /// Moves the section of a node, and also nodes, which may be in that section.
  private mutating func moves(
    along node: ModelNode,
    of session: ModelSession
  ) -> [ModelOperation] {
    let count = session.tree.sections.count
    let section = session.tree.section(of: node).name
    return [.moveSection(section, index: random.number(in: 0...count - 1)), move(session)]
  }
}
