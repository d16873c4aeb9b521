/// A view's state of a tree. Neither may change during the object's life.
final class ModelReading {
  let tree: ModelTree
  let view: ModelView

  init(tree: ModelTree, view: ModelView) {
    self.tree = tree
    self.view = view
  }

  /// The state that change lists describe.
  var picture: ModelPicture {
    ModelPicture(rows: rows, sections: sections, everySection: everySection)
  }

  /// The visible rows, in order.
  var rows: [ModelRow] {
    visibleNodes.flatMap(\.self).enumerated().map { row($1, index: $0) }
  }

  /// The sections in answers; none in a tree that never had any.
  var sections: [ModelSectionRow] {
    tree.hasSections ? everySection : []
  }

  /// All sections, including a single nameless one.
  var everySection: [ModelSectionRow] {
    var offset = 0
    return zip(tree.sections, visibleNodes).enumerated().map { index, pair in
      defer { offset += pair.1.count }
      return ModelSectionRow(
        identity: pair.0.identity,
        name: pair.0.name,
        index: index,
        rowCount: pair.1.count,
        offset: offset,
        rootCount: pair.0.roots.count,
        expanded: isExpanded(pair.0)
      )
    }
  }

  /// Returns the row of a node; its index is nil if it is hidden.
  func row(of node: ModelNode) -> ModelRow {
    row(node, index: visibleNodes.flatMap(\.self).firstIndex { $0 === node })
  }

  func isExpanded(_ node: ModelNode) -> Bool {
    let expansion = view.current
    return isExpanded(node, expansion)
  }

  func isExpanded(_ node: ModelNode, _ expansion: ModelExpansion) -> Bool {
    node.childState != .leaf
      && expansion.rule.isExpanded(at: node.depth) != expansion.toggled.contains(node.identity)
  }

  func isExpanded(_ section: ModelSection) -> Bool {
    !view.current.collapsedSections.contains(section.identity)
  }

  /// Returns true if the filter selects a node itself; nil without a filter.
  func isMatched(_ node: ModelNode) -> Bool? {
    view.filter.map { _ in matches.contains(node.identity) }
  }

  /// The nodes that the filter selects itself.
  private lazy var matches: Set<Int> = {
    guard let filter = view.filter else { return [] }
    return Set(tree.allNodes.filter(filter.matches).map(\.identity))
  }()

  /// The visible nodes of each section.
  private lazy var visibleNodes: [[ModelNode]] = tree.sections.map { section in
    let nodes = isExpanded(section) ? visible(section.roots) : []
    guard view.order == .breadthFirst else { return nodes }
    let depths = Set(nodes.map(\.depth)).sorted()
    return depths.flatMap { depth in nodes.filter { $0.depth == depth } }
  }

  /// Returns siblings in the order of the view.
  func ordered(_ siblings: [ModelNode]) -> [ModelNode] { siblings.sorted(by: view.viewSort) }

  /// All nodes in pre-order, with siblings in the order of the view.
  var allNodes: [ModelNode] { tree.sections.flatMap { subtrees($0.roots) } }

  private func subtrees(_ siblings: [ModelNode]) -> [ModelNode] {
    ordered(siblings).flatMap { [$0] + subtrees($0.children) }
  }

  /// Returns the siblings and their visible descendants in pre-order.
  private func visible(_ siblings: [ModelNode]) -> [ModelNode] {
    ordered(siblings).filter(isKept).flatMap { [$0] + (isExpanded($0) ? visible($0.children) : []) }
  }

  /// Returns true if the filter keeps a node, as a match or an ancestor of one.
  func isKept(_ node: ModelNode) -> Bool {
    view.filter == nil || node.subtree.contains { matches.contains($0.identity) }
  }

  private func row(_ node: ModelNode, index: Int?) -> ModelRow {
    let siblings = ordered(tree.siblings(of: node)).filter { index == nil || isKept($0) }
    let section = tree.section(of: node)
    let place = tree.sections.firstIndex { $0 === section } ?? 0
    let offset = visibleNodes.prefix(place).reduce(0) { $0 + $1.count }
    return ModelRow(
      identity: node.identity,
      index: index,
      key: node.key,
      parent: node.parent?.key,
      depth: node.depth,
      sectionIdentity: section.identity,
      section: tree.hasSections ? section.name : nil,
      sectionRow: tree.hasSections ? index.map { $0 - offset } : nil,
      position: siblings.firstIndex { $0 === node } ?? 0,
      siblingCount: siblings.count,
      expanded: isExpanded(node),
      childState: node.childState.rawValue,
      childCount: node.shownChildCount,
      visibleDescendantCount: isExpanded(node) ? visible(node.children).count : 0,
      selected: view.selected.contains(node.identity),
      matched: isMatched(node),
      object: node.object,
      isMerged: node.isMerged
    )
  }
}
