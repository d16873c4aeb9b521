import TreeDomain

/// An answer that may wait for a commit.
protocol Awaiting {
  /// The commit that the answer waits for.
  var durability: Durability { get }
}

extension BatchAnswer: Awaiting {}
extension TreeBatchAnswer: Awaiting {}
extension Created: Awaiting {}
extension Ending: Awaiting {}

extension PatchAnswer: Awaiting {
  var durability: Durability { list.durability }
}
