/// An app on a bad line that shows rows of a shared tree.
protocol MobileApp: Sendable {
  /// The line and the writes of the app.
  var client: MobileClient { get async }
  /// The number of changes that it was told of.
  var news: Int { get async }

  /// Does a number of things at random, and ends with nothing under way.
  mutating func run(steps: Int) async throws

  /// Learns all that there is to be learned.
  mutating func catchUp() async throws

  /// Returns the difference of what the app shows from the rows there are; nil if there is none.
  func difference(from truth: RowReplica) async throws -> String?
}
