import JSON
import Synchronization
import TreeDomain
import TreeEngine

/// A tree as lines, a piece at a time, all of one revision whatever happens to the tree meanwhile.
///
/// When it is done with, the memory that it alone still holds is let go of elsewhere: that can be
/// all the tree was, and takes as long. It does not count any more by then, so that whoever has
/// read one to its end may begin another.
final class SnapshotExport: TreeExport {
  let revision: Revision
  private let source: Source
  private let assign: SessionStore.Assignment

  /// What is to be let go of in the end.
  private final class Source: Sendable {
    let lines: Mutex<ExportLines?>
    private let counts: [LiveExports]
    private let hasEnded = Atomic<Bool>(false)

    init(_ lines: ExportLines, _ counts: [LiveExports]) {
      self.lines = Mutex(lines)
      self.counts = counts
    }

    /// Has it count no more: it was read to its end, or nobody is going to.
    func end() {
      guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
      for count in counts { count.end() }
    }

    func dispose() { lines.withLock { $0 = nil } }
  }

  /// How many bytes a piece has, or a little more.
  private static let pieceBytes = 64 * 1024

  /// - Parameters:
  ///   - lines: The lines.
  ///   - revision: Of which revision they are.
  ///   - counts: Which count it, and are told of its end.
  ///   - assign: Has the memory let go of.
  init(
    of lines: ExportLines,
    at revision: Revision,
    countedBy counts: [LiveExports],
    _ assign: @escaping SessionStore.Assignment
  ) {
    self.revision = revision
    self.assign = assign
    source = Source(lines, counts)
  }

  deinit {
    let source = source
    source.end()
    assign { source.dispose() }
  }

  func next() -> [UInt8]? {
    let piece = source.lines.withLock { $0?.next(atLeast: Self.pieceBytes) } ?? []
    guard piece.isEmpty else { return piece }
    source.end()
    return nil
  }
}

/// The lines that are still to come.
struct ExportLines {
  typealias Snapshot = ForestSnapshot<Fanout<64>>

  private var walk: Snapshot.Walk
  private let isSectioned: Bool
  /// The name of the section that is being walked, where sections are shown.
  private var section: [UInt8]?
  /// How many nodes are asked for at a time.
  private static let nodesPerStep = 256

  init(walk: Snapshot.Walk, isSectioned: Bool) {
    self.walk = walk
    self.isSectioned = isSectioned
  }

  /// Lines of so many bytes together, or all there are.
  mutating func next(atLeast bytes: Int) -> [UInt8] {
    var writer = JSONWriter()
    while writer.count < bytes {
      let nodes = walk.next(limit: Self.nodesPerStep)
      if nodes.isEmpty { break }
      for node in nodes { write(node, to: &writer) }
    }
    return writer.finish()
  }

  private mutating func write(_ node: Snapshot.Node, to writer: inout JSONWriter) {
    // Sections are the top level.
    if node.depth == 0 {
      section = isSectioned ? Array(node.object.dropFirst()) : nil
      return
    }
    let isRoot = node.depth == 1
    let line = ExportLine(
      key: node.key,
      parent: isRoot ? nil : node.parentKey,
      object: node.object,
      childState: node.childState,
      hasChildren: node.childCount > 0,
      hint: node.hint,
      section: isRoot ? section?[...] : nil
    )
    line.write(to: &writer)
  }
}
