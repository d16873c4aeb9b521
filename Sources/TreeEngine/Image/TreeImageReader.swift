/// Makes a tree of the bytes of its ``TreeImage``, as they come.
///
/// What it holds is the tree and the frame it is at. Bytes that no image can have written are
/// refused; it never reserves memory by what they say, and never traps.
public struct TreeImageReader<Width: NodeWidth>: ~Copyable {
  /// What is read next.
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

  /// What a node id is, as far as is known.
  enum Standing: UInt8 {
    /// In no tree, and not explained yet.
    case unlinked
    /// To be in the sequence.
    case expected
    case linked
    case free
    case removed
  }

  var tree: SizedTree<Width>
  var part = Part.start
  /// How many of the present part are to come.
  var left = 0
  /// By node index.
  var standings: [Standing] = [.linked]
  var counts = ImageCounts()
  var preorder = PreorderReading<Width>()
  /// How many views come after the one whose past is being read.
  var viewsLeft = 0
  /// Rows of the view being read after what was last read of its past; nil before that.
  var rowCount: Int32?
  private var frames = FrameReader()

  /// Begins a tree.
  ///
  /// - Parameters:
  ///   - maxDepth: the deepest depth a new node may have; a root's is 0.
  ///   - history: how much is remembered of commits.
  @specialized(where Width == Fanout<64>)
  public init(maxDepth: Int = 100_000, history: HistoryLimits = .none) {
    tree = SizedTree(maxDepth: maxDepth, history: history)
  }

  /// Takes the next bytes, split anywhere.
  ///
  /// - Throws: ``ImageError``; nothing more is to be asked of the reader then.
  /// - Complexity: O(bytes); O(*n*) besides for each view with a filter, O(log *n*) for each node
  ///   toggled.
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

  /// The tree, when its image has come to its end.
  ///
  /// - Throws: ``ImageError/damaged`` when it has not.
  /// - Complexity: O(1).
  @specialized(where Width == Fanout<64>)
  public consuming func finish() throws(ImageError) -> SizedTree<Width> {
    guard case .done = part, frames.isEmpty else { throw .damaged }
    tree.forgetData { $0.isOverLimits }
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

  /// Goes on to a part with so many things in it.
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
      tree.vacantSlots.append(try reader.count())
    }
    begin(.nodes, of: counts.nodeIDs - 1)
  }

  private mutating func readEnd(_ reader: inout ByteReader) throws(ImageError) {
    let nodes = try reader.count()
    let views = try reader.count()
    guard nodes == tree.nodeCount, views == tree.viewCount,
      try reader.fixed(UInt32.self) == ImageForm.end
    else { throw .damaged }
    part = .done
  }
}

/// How many there are to be, as an image says at its beginning.
struct ImageCounts {
  /// Node ids, the forest root's included.
  var nodeIDs = 0
  var free = 0
  /// Views, vacant ones included.
  var views = 0
  /// Commits of which it is known what they did to the data.
  var data = 0
}
