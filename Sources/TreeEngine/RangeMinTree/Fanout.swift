/// How many entries a node of a ``RangeMinTree`` holds, as a type: see ``Fanout``.
public protocol NodeWidth: Sendable {
  /// Entries a node has room for, at least 4.
  static var fanout: Int { get }
  /// Bytes that a chunk of a ``ChunkedArray`` has at most.
  static var chunkBytes: Int { get }
}

extension NodeWidth {
  /// Entries an inner node has room for.
  ///
  /// What a leaf holds is smaller than a summary, and what is done in a leaf is done once: half as
  /// many summaries a level make a tree of nearly the same height.
  static var innerFanout: Int { max(4, leafStride / 2) }

  /// Places a leaf takes in an array: a power of two, so that it does not cross a chunk's border.
  static var leafStride: Int {
    @inline(__always)
    get { 1 << (Int.bitWidth - (fanout - 1).leadingZeroBitCount) }
  }
}

/// A number of entries as a type, for an engine that is generic in it: tests run with 4 (three
/// levels from twenty nodes on), the product with 64.
///
/// A type and not an integer parameter of the engine itself, because it is types for which the
/// compiler specializes functions that other modules call: those of ``SizedTree`` for `Fanout<64>`.
public enum Fanout<let width: Int>: NodeWidth {
  /// The number.
  public static var fanout: Int { width }

  /// 64 KiB in the product; with narrow nodes so little that a few leaves fill a chunk.
  public static var chunkBytes: Int { 16 * width * width }
}
