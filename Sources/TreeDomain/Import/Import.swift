public import TreeEngine

/// Nodes to be brought into a tree, in the order of their lines.
///
/// They come in parts of bounded size, so that taking in one more line never copies all before it.
public struct Import: Equatable, Sendable {
  /// What a node says of where it stands.
  public enum Above: Equatable, Sendable {
    /// Nothing: it is a root of the first section.
    case nothing
    /// The key of its parent, which is in the tree or on an earlier line.
    case parent(ByteSlice)
    /// It is a root of the section of this name.
    case section(ByteSlice)
  }

  /// One line.
  public struct ImportedNode: Equatable, Sendable {
    /// The key's bytes.
    public var key: ByteSlice
    /// The object, raw JSON; empty for `null`.
    public var object: ByteSlice
    /// Where it stands.
    public var above: Above
    /// What is known about its children before any other line names it as parent.
    public var childState: ChildState
    /// How many children an unloaded node is said to have.
    public var hint: Int32?
    /// The line it stands on, counted from 1.
    public var line: Int32

    /// Makes a node.
    public init(
      key: ByteSlice,
      object: ByteSlice,
      above: Above = .nothing,
      childState: ChildState = .leaf,
      hint: Int32? = nil,
      line: Int32
    ) {
      self.key = key
      self.object = object
      self.above = above
      self.childState = childState
      self.hint = hint
      self.line = line
    }
  }

  /// Some consecutive nodes.
  public struct Part: Equatable, Sendable {
    /// What their slices point into.
    public var bytes: [UInt8] = []
    /// The nodes.
    public var nodes: [ImportedNode] = []

    /// Makes a part without nodes.
    public init() {}

    /// The bytes of a slice.
    public subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
  }

  /// All nodes, in parts that are not empty.
  public private(set) var parts: [Part] = []
  /// How many there are.
  public private(set) var nodeCount = 0
  /// How many bytes of keys and objects they have.
  public private(set) var byteCount = 0
  /// About how many bytes it takes to hold the nodes, to find out how they hang together, and to
  /// write them down once more.
  private(set) var heldBytes = 0

  /// Makes an import of nothing.
  public init() {}

  /// How many bytes a part has at most, unless a single node has more.
  ///
  /// Small enough that beginning one takes no longer than a few lines do.
  private static let partBytes = 1 << 18

  /// Adds a node; its slices are those of a text that is given along, of which it needs no more.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - bytes: Finds the bytes of each of its slices.
  /// - Complexity: O(length of what is kept).
  mutating func append(_ node: ImportedNode, bytes: (ByteSlice) -> ArraySlice<UInt8>) {
    let last = parts.count - 1
    if last < 0 || parts[last].bytes.count + node.byteCount > Import.partBytes {
      parts.append(Part())
      if last >= 0 { parts[last + 1].bytes.reserveCapacity(Import.partBytes) }
    }
    parts[parts.count - 1].append(node, bytes: bytes)
    nodeCount += 1
    byteCount += node.key.count + node.object.count
    heldBytes += MemoryLayout<ImportedNode>.stride + Import.linkBytes + 2 * node.byteCount
  }

  /// What is noted of a node's parent, siblings and key.
  private static let linkBytes = 24
}

extension Import.ImportedNode {
  fileprivate var byteCount: Int {
    switch above {
    case .nothing: key.count + object.count
    case .parent(let name), .section(let name): key.count + object.count + name.count
    }
  }
}

extension Import.Part {
  fileprivate mutating func append(
    _ node: Import.ImportedNode,
    bytes: (ByteSlice) -> ArraySlice<UInt8>
  ) {
    var kept = node
    kept.key = keep(bytes(node.key))
    kept.object = keep(bytes(node.object))
    switch node.above {
    case .nothing: break
    case .parent(let key): kept.above = .parent(keep(bytes(key)))
    case .section(let name): kept.above = .section(keep(bytes(name)))
    }
    nodes.append(kept)
  }

  private mutating func keep(_ text: ArraySlice<UInt8>) -> ByteSlice {
    let start = bytes.count
    bytes.append(contentsOf: text)
    return ByteSlice(offset: start, count: text.count)
  }
}
