/// A client's view of a forest: the expanded nodes, which determine the rows.
///
/// A view stores an ``ExpansionRule`` and the set of toggled nodes, which differ from it. The
/// *cover* of an entry is the number of its collapsed ancestors. An entry is a row if its cover is
/// 0. So the rows are the minima of a running sum, and a range-min-max tree counts them.
///
/// The items of that tree are *marks*. Each toggled node has two, one behind the node and one
/// behind its subtree, at which the cover steps up or down. A mark also stores the length of the
/// gap of entries up to the next mark, and the cover of that gap under the rule alone. That cover
/// is recomputed from the forest when the gap changes. The position of a gap is not stored: it is
/// the sum of the gaps before it.
///
/// The toggles of nodes inside a collapsed node stay, so nested expansion is remembered. Toggling a
/// node, and finding a row's node or a node's row, is O(log *n*) at any depth.
struct View<Width: NodeWidth>: Sendable {
  /// A step of the cover, and the gap of entries behind it.
  struct Mark: RangeMinItem {
    /// The number of the mark: 0 before the first root, 2t behind the node of toggle t, 2t + 1
    /// behind its subtree.
    var owner: Int32
    var step: Int32
    /// The number of forest entries before the next mark.
    var gap: Int32 = 0
    /// The cover of the gap under the rule alone.
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
  /// The node of each toggle number.
  ///
  /// Number 0 is not used.
  private var toggled: [NodeID] = [.forestRoot]
  private var freeToggles: [Int32] = []

  /// A placeholder for a removed view.
  static var vacant: View { View(rule: .none) }

  private init(rule: ExpansionRule) {
    expanded = ExpandedNodes(rule: rule)
    root = Marks.Root(node: -1, height: 0)
  }

  var isVacant: Bool { root.node < 0 }

  var rule: ExpansionRule { expanded.rule }
  var toggles: NodeTable<Int32> { expanded.toggles }

  /// Makes a view without toggled nodes: one gap over all entries.
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

  /// The size of the marks and of the data about toggled nodes, in bytes.
  ///
  /// - Complexity: O(1).
  var byteCount: Int {
    marks.byteCount + toggles.byteCount + toggled.byteCount + freeToggles.byteCount
  }

  /// Returns true if a node, which must not be a leaf, is expanded.
  ///
  /// Depth counts from 1 at the roots.
  @inline(__always)
  func isExpanded(_ node: NodeID, depth: Int32) -> Bool {
    expanded.expands(node, depth: depth)
  }

  @inline(__always)
  func isToggled(_ node: NodeID) -> Bool { expanded.isToggled(node) }

  var toggledNodes: Set<NodeID> { Set(toggles.nodes) }

  func node(ofToggle toggle: Int) -> NodeID { toggled[toggle] }

  /// Replaces the ids of nodes by their new ones and releases memory of former toggles.
  ///
  /// - Complexity: O(*t*), where *t* is the largest number of nodes that were toggled at once.
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
