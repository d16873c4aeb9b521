import JSON
import Synchronization
import TreeDomain
import TreeEngine

/// An export of a tree as lines, in pieces, all of one revision even if the tree changes meanwhile.
///
/// The memory that only the export holds may be as large as the tree, so it is freed on another
/// thread. By then the export no longer counts, so a client may begin the next one right after the
/// end.
final class SnapshotExport: TreeExport {
  let revision: Revision
  private let source: Source
  private let assign: SessionStore.Assignment

  /// The remaining lines, which are freed at the end.
  private final class Source: Sendable {
    let lines: Mutex<ExportLines?>
    /// Ends the counting of the export.
    private let uncount: @Sendable () -> Void
    private let hasEnded = Atomic<Bool>(false)

    init(_ lines: ExportLines, _ uncount: @escaping @Sendable () -> Void) {
      self.lines = Mutex(lines)
      self.uncount = uncount
    }

    /// Ends the counting of the export.
    ///
    /// Further calls do nothing.
    func end() {
      guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
      uncount()
    }

    func dispose() { lines.withLock { $0 = nil } }
  }

  /// The minimum size of a piece in bytes, unless it is the last one.
  private static let pieceBytes = 64 * 1024

  /// Makes an export.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - revision: The revision of the lines.
  ///   - uncount: Ends the counting of the export; called once.
  ///   - assign: Frees the memory on another thread.
  init(
    of lines: ExportLines,
    at revision: Revision,
    uncountedBy uncount: @escaping @Sendable () -> Void,
    _ assign: @escaping SessionStore.Assignment
  ) {
    self.revision = revision
    self.assign = assign
    source = Source(lines, uncount)
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

/// The remaining lines of an export.
struct ExportLines {
  typealias Snapshot = ForestSnapshot<Fanout<64>>

  private var walk: Snapshot.Walk
  private let isSectioned: Bool
  /// The name of the current section, if the tree has named sections.
  private var section: [UInt8]?
  /// The number of nodes that are read at a time.
  private static let nodesPerStep = 256

  init(walk: Snapshot.Walk, isSectioned: Bool) {
    self.walk = walk
    self.isSectioned = isSectioned
  }

  /// Returns lines of at least a number of bytes, or all that are left.
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
    // In the engine, sections are the top level.
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
