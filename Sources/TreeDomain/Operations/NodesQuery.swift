/// A query for nodes by a list of keys.
public struct NodesQuery: Equatable, Sendable {
  /// The most keys that one query may name.
  public static let maxKeys = 1_000

  /// The keys, in the order in which the nodes are wanted; a key may come more than once.
  public var keys: [[UInt8]]
  /// The options of the read.
  public var options: ReadOptions

  /// Makes a query.
  public init(_ keys: [[UInt8]], _ options: ReadOptions = ReadOptions()) {
    self.keys = keys
    self.options = options
  }
}
