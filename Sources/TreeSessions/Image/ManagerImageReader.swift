import TreeDomain
import TreeEngine

/// Makes a tree and its sessions of the bytes of their ``ManagerImage``, as they come.
struct ManagerImageReader: ~Copyable {
  private enum Part { case start, frames, tree }

  private let limits: SessionLimits
  private let usage: Usage
  private var part = Part.start
  private var frames = FrameReader()
  private var parts = ManagerParts()
  private var tree: TreeImageReader<Fanout<64>>

  /// Begins a tree.
  ///
  /// - Parameters:
  ///   - limits: How much the tree may hold from now on.
  ///   - usage: Counts its bytes, once it is there.
  init(limits: SessionLimits, usage: Usage) {
    self.limits = limits
    self.usage = usage
    tree = TreeImageReader(maxDepth: limits.maxDepth + 1, history: limits.history)
  }

  /// Takes the next bytes, split anywhere.
  ///
  /// - Throws: `ImageError`; nothing more is to be asked of the reader then.
  /// - Complexity: See ``TreeImageReader/feed(_:)``.
  mutating func feed(_ bytes: ArraySlice<UInt8>) throws(ImageError) {
    if case .tree = part { return try tree.feed(bytes) }
    frames.append(bytes)
    if case .start = part {
      let versions = ManagerFrame.version...ManagerFrame.version
      guard try frames.begins(with: ManagerFrame.name, versions: versions) else { return }
      part = .frames
    }
    while var frame = frames.next() {
      guard try !parts.read(&frame) else { continue }
      part = .tree
      let rest = frames.rest()
      return try tree.feed(rest)
    }
  }

  /// The tree, when its image has come to its end.
  ///
  /// - Throws: `damaged` when it has not.
  consuming func finish() throws(ImageError) -> TreeManager {
    guard case .tree = part, let head = parts.head else { throw .damaged }
    let (parts, limits, usage) = (parts, limits, usage)
    let tree = try self.tree.finish()
    var manager = TreeManager(head, tree, limits: limits, usage: usage)
    try manager.restore(parts)
    return manager
  }
}
