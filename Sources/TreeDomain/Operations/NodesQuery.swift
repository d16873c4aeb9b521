/// A query for nodes by a list of keys.
package struct NodesQuery: Equatable, Sendable {
  /// The largest number of keys in a query.
  package static let maxKeys = 1_000

  /// The keys, in the order of the answer.
  ///
  /// A key may repeat.
  package var keys: [[UInt8]]
  /// The options of the read.
  package var options: ReadOptions

  /// Makes a query.
  package init(_ keys: [[UInt8]], _ options: ReadOptions = ReadOptions()) {
    self.keys = keys
    self.options = options
  }
}
