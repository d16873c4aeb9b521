/// A type that determines how many entries the nodes of a ``RangeMinTree`` have room for.
///
/// See ``Fanout``.
public protocol NodeWidth: Sendable {
  /// The number of entries that a leaf has room for. At least 4.
  static var fanout: Int { get }
  /// The largest size of a chunk of a ``ChunkedArray``, in bytes.
  static var chunkBytes: Int { get }
}

extension NodeWidth {
  /// The number of children that an inner node has room for.
  ///
  /// This is half the leaf's stride. A summary is larger than an item, and a search reads one row
  /// of summaries at each level. The tree hardly gets higher by this.
  static var innerFanout: Int { max(4, leafStride / 2) }

  /// The number of places of `items` that are reserved for a leaf.
  ///
  /// It is a power of two, so that no leaf crosses a chunk's border.
  static var leafStride: Int {
    @inline(__always)
    get { 1 << (Int.bitWidth - (fanout - 1).leadingZeroBitCount) }
  }
}

/// A fan-out as a type parameter: 4 in tests (three levels from twenty items on), 64 in the
/// product.
///
/// A generic function that other modules call can be specialized for a type, but not for an integer
/// parameter. So ``SizedTree`` takes this type and is specialized for `Fanout<64>`.
public enum Fanout<let width: Int>: NodeWidth {
  /// The fan-out.
  public static var fanout: Int { width }

  /// The largest size of a chunk: 64 KiB in the product.
  ///
  /// In tests it is 256 bytes, so that a few leaves fill a chunk.
  public static var chunkBytes: Int { 16 * width * width }
}
