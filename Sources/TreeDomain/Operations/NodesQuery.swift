/// A query for nodes by a list of keys.
public struct NodesQuery: Equatable, Sendable {
  /// The largest number of keys in a query.
  public static let maxKeys = 1_000

  /// The keys, in the order of the answer.
  ///
  /// A key may repeat.
  public var keys: [[UInt8]]
  /// The options of the read.
  public var options: ReadOptions

  /// Makes a query.
  public init(_ keys: [[UInt8]], _ options: ReadOptions = ReadOptions()) {
    self.keys = keys
    self.options = options
  }
}
