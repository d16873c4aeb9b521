/// The number of entries that a node of a ``RangeMinTree`` holds, as a type.
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
  /// It is half the leaf's stride because a summary is larger than an item and a search reads one
  /// row of summaries per level. The tree is hardly higher for it.
  static var innerFanout: Int { max(4, leafStride / 2) }

  /// The number of array places that a leaf takes.
  ///
  /// A power of two, so that no leaf crosses a chunk's border.
  static var leafStride: Int {
    @inline(__always)
    get { 1 << (Int.bitWidth - (fanout - 1).leadingZeroBitCount) }
  }
}

/// A fan-out as a type parameter: 4 in tests (three levels from twenty items on), 64 in the
/// product.
///
/// The compiler specializes functions that other modules call for types, not for integer
/// parameters. So ``SizedTree`` takes this type and is specialized for `Fanout<64>`.
public enum Fanout<let width: Int>: NodeWidth {
  /// The fan-out.
  public static var fanout: Int { width }

  /// The largest size of a chunk: 64 KiB in the product.
  ///
  /// In tests a few leaves fill one.
  public static var chunkBytes: Int { 16 * width * width }
}
