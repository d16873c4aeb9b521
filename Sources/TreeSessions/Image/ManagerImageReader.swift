import TreeDomain
import TreeEngine

/// Decodes a tree and its sessions from the bytes of a ``ManagerImage``, in pieces.
struct ManagerImageReader: ~Copyable {
  private enum Part { case start, frames, tree }

  private let limits: SessionLimits
  private let usage: Usage
  private var part = Part.start
  private var frames = FrameReader()
  private var parts = ManagerParts()
  private var tree: TreeImageReader<Fanout<64>>

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - limits: The limits of the new tree.
  ///   - usage: Counts the tree's memory.
  init(limits: SessionLimits, usage: Usage) {
    self.limits = limits
    self.usage = usage
    tree = TreeImageReader(maxDepth: limits.maxDepth + 1, history: limits.history)
  }

  /// Decodes the next bytes, which may be split anywhere.
  ///
  /// - Throws: `ImageError`. The reader must not be used after that.
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

  /// Returns the tree after the end of the image.
  ///
  /// - Throws: `damaged` if the image is incomplete.
  consuming func finish() throws(ImageError) -> TreeManager {
    guard case .tree = part else { throw .damaged }
    let (parts, limits, usage) = (parts, limits, usage)
    return try parts.restored(tree.finish(), limits: limits, usage: usage)
  }
}
