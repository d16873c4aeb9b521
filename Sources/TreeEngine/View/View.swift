/// One client's view of a forest: which nodes are expanded, and so which are rows.
///
/// A view is what differs from a rule: an ``ExpansionRule`` and the set of toggled nodes. Call the
/// number of collapsed nodes above an entry its *cover*; an entry is a row exactly where that is 0,
/// and it is never negative. So the rows are the minima of a running sum, and a range-min-max tree
/// counts them: its items are *marks*, two for each toggled node (one behind the node, one behind
/// its subtree) at which the cover steps up and down, each with the gap of forest entries that
/// follow it. What the rule itself covers inside a gap is asked of the forest when the gap changes.
///
/// Nested expansion is remembered by doing nothing, in the open or hidden; toggling, row to node
/// and node to row are O(log) in forest and marks whatever the depth. A gap's position is never
/// stored: it is the sum of the gaps before it.
struct View<Width: NodeWidth>: Sendable {
  /// A step of cover, and the gap behind it.
  struct Mark: RangeMinItem {
    /// 0 before the first root; 2t behind the node of toggle t, 2t + 1 behind its subtree.
    var owner: Int32
    var step: Int32
    /// Forest entries before the next mark.
    var gap: Int32 = 0
    /// The cover of the gap by the rule alone.
    var cover = RuleCover.none

    var summary: Summary {
      Summary(
        count: gap,
        sum: step,
        minimum: gap == 0 ? Summary.none : step + cover.minimum,
        minimumCount: cover.count
      )
    }
    static var filler: Mark { Mark(owner: -1, step: 0) }
    var isEnd: Bool { owner & 1 == 1 }
    var toggle: Int { Int(owner >> 1) }
  }

  typealias Marks = RangeMinTree<Mark, Width>

  private(set) var expanded: ExpandedNodes
  var marks = Marks()
  var root: Marks.Root
  /// The node of each toggle number; number 0 is not given out.
  private var toggled: [NodeID] = [.forestRoot]
  private var freeToggles: [Int32] = []

  /// Stands where a view was removed.
  static var vacant: View { View(rule: .none) }

  private init(rule: ExpansionRule) {
    expanded = ExpandedNodes(rule: rule)
    root = Marks.Root(node: -1, height: 0)
  }

  var isVacant: Bool { root.node < 0 }

  var rule: ExpansionRule { expanded.rule }
  var toggles: NodeTable<Int32> { expanded.toggles }

  /// A view in which nothing is toggled: one gap over all.
  ///
  /// - Complexity: O(log *n*).
  init(
    rule: ExpansionRule,
    of forest: borrowing Forest<Width>,
    _ indexes: borrowing LevelIndexes<Width>
  ) {
    self.init(rule: rule)
    root = marks.makeEmpty()
    marks.append(Mark(owner: 0, step: 0, gap: forest.entryCount - 1), to: &root)
    recount(0, in: forest, indexes)
  }

  /// The bytes of its marks and of what it knows of toggled nodes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    marks.byteCount + toggles.byteCount + toggled.byteCount + freeToggles.byteCount
  }

  /// Whether a node that is no leaf is expanded, given its depth in the sequence.
  func isExpanded(_ node: NodeID, depth: Int32) -> Bool {
    expanded.expands(node, depth: depth)
  }

  func isToggled(_ node: NodeID) -> Bool { expanded.isToggled(node) }

  var toggledNodes: Set<NodeID> { Set(toggles.nodes) }

  func node(ofToggle toggle: Int) -> NodeID { toggled[toggle] }

  /// Follows the nodes to their new ids, and holds nothing but what is toggled.
  ///
  /// - Complexity: O(*t*) for *t* toggled nodes, and O(those there once were).
  mutating func renumber(_ new: NodeRenumbering) {
    guard toggled.count > 1 else { return }
    var numbers = NodeTable<Int32>(minimumCapacity: toggles.count)
    var nodes: [NodeID] = [.forestRoot]
    nodes.reserveCapacity(toggles.count + 1)
    let old = toggled
    root = marks.compact(root) { mark in
      guard mark.owner > 0 else { return }
      let node = new.of(old[mark.toggle])
      let number = numbers[node] ?? Int32(nodes.count)
      if !mark.isEnd {
        numbers[node] = number
        nodes.append(node)
      }
      mark.owner = 2 * number + (mark.isEnd ? 1 : 0)
    }
    (expanded.toggles, toggled, freeToggles) = (numbers, nodes, [])
  }

  mutating func addToggle(_ node: NodeID) -> Int32 {
    let toggle: Int32
    if let free = freeToggles.popLast() {
      toggle = free
      toggled[Int(toggle)] = node
    } else {
      toggle = Int32(toggled.count)
      toggled.append(node)
    }
    expanded.toggles[node] = toggle
    return toggle
  }

  mutating func removeToggle(_ node: NodeID) -> Int32 {
    guard let toggle = expanded.toggles[node] else {
      preconditionFailure("the node is not toggled")
    }
    expanded.toggles.remove(node)
    freeToggles.append(toggle)
    return toggle
  }
}
