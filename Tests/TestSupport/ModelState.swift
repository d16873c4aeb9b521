/// All state that a batch can change, for comparison.
struct ModelState: Equatable {
  struct Node: Equatable {
    var identity: Int
    var parent: Int
    var object: [UInt8]
    var childState: ModelNode.ChildState
    var childCount: Int?
  }

  /// The nodes, the sections and the sort.
  struct Data: Equatable {
    var nodes: [Node]
    var sections: [ModelKey: Int]
    var order: [Int]
    var sort: [ModelSort]
  }

  var tree: Data
  /// The expanded nodes, without and with the filter.
  var expanded: [[Bool]]
  var rules: [ModelSessionOptions.Rule?]
  /// The rest of the view.
  var view: ModelView?

  init(_ tree: ModelTree, _ view: ModelView?) {
    let nodes = tree.allNodes
    self.tree = Data(
      nodes: nodes.map {
        Node(
          identity: $0.identity,
          parent: ($0.parent?.identity) ?? tree.section(of: $0).identity,
          object: $0.object.bytes,
          childState: $0.childState,
          childCount: $0.shownChildCount
        )
      },
      sections: Dictionary(uniqueKeysWithValues: tree.sections.map { ($0.name, $0.identity) }),
      order: tree.sections.map(\.identity),
      sort: tree.sort
    )
    let expansions = view.map { [$0.expansion, $0.filtered ?? $0.expansion] } ?? []
    let reading = view.map { ModelReading(tree: tree, view: $0) }
    expanded = expansions.map { expansion in
      nodes.map { reading?.isExpanded($0, expansion) ?? false }
    }
    rules = expansions.map(\.rule)
    self.view = view.map { view in
      var rest = view
      rest.expansion.rule = .all
      rest.expansion.toggled = []
      rest.filtered?.rule = .all
      rest.filtered?.toggled = []
      return rest
    }
  }

  /// Returns true if any state differs, except for the expansion rule for future nodes.
  func differs(from other: ModelState) -> Bool {
    tree != other.tree || expanded != other.expanded || view != other.view
  }
}
