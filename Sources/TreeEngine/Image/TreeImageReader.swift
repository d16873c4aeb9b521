/// Rebuilds a tree from the bytes of its ``TreeImage`` as they arrive.
///
/// It holds the tree and one frame. Invalid input throws. It never traps, and never allocates
/// memory by a length that the input states.
public struct TreeImageReader<Width: NodeWidth>: ~Copyable {
  /// The part that is read next.
  enum Part {
    case start
    case head
    case nodes
    case sequence
    case free
    case data
    case views
    case pasts
    case end
    case done
  }

  /// The state of a node id while the image is read.
  enum NodeState: UInt8 {
    /// Not in the tree, and no reason was read yet.
    case unlinked
    /// In the tree, but its place was not read yet.
    case expected
    case linked
    case free
    case removed
  }

  var tree: SizedTree<Width>
  var part = Part.start
  /// The number of items of the current part that are still to be read.
  var left = 0
  /// The state of each node id, by index.
  var states: [NodeState] = [.linked]
  var counts = ImageCounts()
  var preorder = PreorderReading<Width>()
  /// The number of views after the one whose history is being read.
  var viewsLeft = 0
  /// The number of rows after the last entry read of the view's history, or nil before the first.
  var rowCount: Int32?
  private var frames = FrameReader()

  /// Creates a reader with an empty tree.
  ///
  /// - Parameters:
  ///   - maxDepth: The largest depth of a new node. A root has depth 0.
  ///   - history: The limits of the history.
  @specialized(where Width == Fanout<64>)
  public init(maxDepth: Int = 100_000, history: HistoryLimits = .none) {
    tree = SizedTree(maxDepth: maxDepth, history: history)
  }

  /// Reads the next bytes.
  ///
  /// They may be split anywhere.
  ///
  /// - Throws: ``ImageError``. The reader must not be used after that.
  /// - Complexity: O(bytes), O(*n*) for each filtered view, and O(log *n*) for each toggled node.
  @specialized(where Width == Fanout<64>)
  public mutating func feed(_ bytes: ArraySlice<UInt8>) throws(ImageError) {
    frames.append(bytes)
    if case .start = part {
      let versions = ImageForm.version...ImageForm.version
      guard try frames.begins(with: ImageForm.treeName, versions: versions) else { return }
      part = .head
    }
    while var frame = frames.next() { try read(&frame) }
  }

  /// Returns the tree after the end of its image.
  ///
  /// - Throws: ``ImageError/damaged`` if the image is not complete.
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public consuming func finish() throws(ImageError) -> SizedTree<Width> {
    guard case .done = part, frames.isEmpty else { throw .damaged }
    tree.history.forgetData(in: &tree.editor.base.forest) { $0.isOverLimits }
    return tree
  }

  private mutating func read(_ reader: inout ByteReader) throws(ImageError) {
    while !reader.isAtEnd {
      switch part {
      case .start, .done: throw .damaged
      case .head: try readHead(&reader)
      case .nodes: try readNodes(&reader)
      case .sequence: try readSequence(&reader)
      case .free: try readFree(&reader)
      case .data: try readData(&reader)
      case .views: try readViews(&reader)
      case .pasts: try readPasts(&reader)
      case .end: try readEnd(&reader)
      }
    }
  }

  /// Starts a part with `count` items.
  mutating func begin(_ next: Part, of count: Int) {
    part = next
    left = count
  }

  private mutating func readHead(_ reader: inout ByteReader) throws(ImageError) {
    counts.nodeIDs = try reader.count(upTo: Int(Int32.max) - 1)
    counts.free = try reader.count()
    counts.views = try reader.count()
    guard counts.nodeIDs > 0 else { throw .damaged }
    tree.history.number = try reader.count()
    tree.history.oldest = try reader.count(upTo: tree.history.number)
    tree.history.lastSweep = try reader.count(upTo: tree.history.number)
    counts.data = try reader.count()
    let first = try reader.fixed(UInt64.self)
    let second = try reader.fixed(UInt64.self)
    guard let seed = ObjectDigest.Seed(first: first, second: second) else { throw .damaged }
    tree.history.seed = seed
    for _ in 0..<(try reader.count(upTo: reader.remaining)) {
      tree.editor.base.restore(vacant: try reader.count())
    }
    begin(.nodes, of: counts.nodeIDs - 1)
  }

  private mutating func readEnd(_ reader: inout ByteReader) throws(ImageError) {
    let nodes = try reader.count()
    let views = try reader.count()
    guard nodes == tree.nodeCount, views == tree.editor.base.viewCount,
      try reader.fixed(UInt32.self) == ImageForm.end
    else { throw .damaged }
    part = .done
  }
}

/// The counts at the start of an image.
struct ImageCounts {
  /// The number of node ids, with the forest root's.
  var nodeIDs = 0
  var free = 0
  /// The number of views, with vacant ones.
  var views = 0
  /// The number of commits with stored changes of the data.
  var data = 0
}
