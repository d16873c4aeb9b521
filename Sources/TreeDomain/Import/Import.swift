package import TreeEngine

/// The nodes of an import, in the order of their lines.
///
/// They are stored in parts of bounded size, so that adding a line never copies all lines before
/// it.
package struct Import: Equatable, Sendable {
  /// The parent or section of a node.
  package enum Above: Equatable, Sendable {
    /// No parent and no section: a root of the first section.
    case nothing
    /// The key of the parent, which is in the tree or on an earlier line.
    case parent(ByteSlice)
    /// A root of the section with this name.
    case section(ByteSlice)
  }

  /// A node of one line.
  package struct ImportedNode: Equatable, Sendable {
    /// The key's bytes.
    package var key: ByteSlice
    /// The object as raw JSON.
    ///
    /// Empty for `null`.
    package var object: ByteSlice
    /// The parent or section.
    package var above: Above
    /// The state of the children, before later lines add any.
    package var childState: ChildState
    /// The expected number of children of an unloaded node.
    package var hint: Int32?
    /// The number of the line, from 1.
    package var line: Int32

    /// A number for the state of the children; equal for equal states.
    package var childStateNumber: UInt8 { childState.rawValue }

    /// Makes a node.
    package init(
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

  /// A run of consecutive nodes.
  package struct Part: Equatable, Sendable {
    /// The bytes that the slices refer to.
    package var bytes: [UInt8] = []
    /// The nodes.
    package var nodes: [ImportedNode] = []

    /// Makes an empty part.
    package init() {}

    /// The bytes of a slice.
    package subscript(_ slice: ByteSlice) -> ArraySlice<UInt8> { bytes[slice.range] }
  }

  /// All nodes.
  ///
  /// No part is empty.
  package private(set) var parts: [Part] = []
  /// The number of nodes.
  package private(set) var nodeCount = 0
  /// The size of all keys and objects in bytes.
  package private(set) var byteCount = 0
  /// The approximate memory, in bytes, to store the nodes, to link them and to write them again.
  private(set) var heldBytes = 0

  /// Makes an empty import.
  package init() {}

  /// The largest size of a part in bytes, unless a single node is larger.
  ///
  /// It is small, so that starting a part takes no longer than reading a few lines.
  private static let partBytes = 1 << 18

  /// Adds a node and copies the bytes of its slices.
  ///
  /// - Parameters:
  ///   - node: The node. Its slices refer to any text.
  ///   - bytes: Returns the bytes of each of its slices.
  /// - Complexity: O(bytes copied).
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

  /// The memory for a node's links to parent, siblings and key, in bytes.
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
