import Synchronization
import TreeDomain
import TreeEngine

/// The account of a tree's memory in the totals of the service.
struct TreeAccount {
  /// The totals of the service.
  let usage: Usage
  /// The amounts that the tree has added to ``usage``; for a copy including those of its original.
  private(set) var counted = TreeUsage()
  /// The memory of answers for retries, of the tree and its sessions, in bytes.
  private(set) var replayBytes = 0
  /// The memory of the filters, orders and revisions of awake sessions.
  let sessionBytes = SessionBytes()
  /// The amounts besides the content.
  ///
  /// Nil for a copy, which takes the sessions of its original from ``counted``.
  private var others: Others?
  /// The memory that is charged to the caller that created the tree or caused its read.
  private var charge: MemoryCharge?

  /// The amounts of a tree besides its content.
  struct Others {
    /// The number of awake sessions.
    var sessions = 0
    /// The memory of sleeping sessions in bytes.
    var asleep = 0
    /// The memory of logged changes in bytes.
    var log = 0
    /// The memory of the sections in the description that is shown, in bytes.
    var description = 0
  }

  /// Makes the account of a tree, charged to a caller if there is one.
  init(_ usage: Usage, chargedTo payer: String? = nil) {
    self.usage = usage
    charge = usage.callers.charge(to: payer)
    others = Others()
  }

  /// Makes the account of a copy.
  init(copying other: TreeAccount) {
    usage = other.usage
    counted = other.counted
    replayBytes = other.replayBytes
  }

  /// The name of the caller to whom the tree is charged.
  var payer: String? { charge?.payer }

  /// Charges the tree to a caller if there is one.
  mutating func charge(to payer: String?) { charge = usage.callers.charge(to: payer) }

  /// Adds the amounts besides the content to those of the content.
  func total(_ content: TreeUsage) -> TreeUsage {
    var total = content
    total.replays = replayBytes
    guard let others else {
      (total.sessions, total.asleep) = (counted.sessions, counted.asleep)
      total.description = counted.description
      return total
    }
    total.engine.transaction += others.log
    total.sessions = others.sessions * OpenSession.bytes + sessionBytes.count
    total.asleep = others.asleep
    total.description = others.description
    return total
  }

  /// Sets the amounts besides the content; nil for those of the original.
  mutating func setOthers(_ amounts: Others?) { others = amounts }

  /// Replaces the counted amounts of this tree.
  mutating func count(_ amount: TreeUsage) {
    usage.replace(counted, by: amount)
    counted = amount
    charge?.set(amount.ownBytes)
  }

  /// Replaces the counted amounts of a copy by those that it shares with its original.
  mutating func uncount(but shared: TreeUsage) {
    usage.replace(counted, by: shared)
    counted = shared
  }

  /// Adds a number of bytes, which may be negative, to the memory of answers for retries.
  mutating func addReplays(_ bytes: Int) { replayBytes += bytes }

  /// Forgets the memory of answers for retries.
  mutating func endReplays() { replayBytes = 0 }
}

/// A counter of the memory of objects, each of which adds its own while it exists.
final class SessionBytes: Sendable {
  // Relaxed ordering suffices, because only the number matters.
  private let sum = Atomic(0)

  /// The number of bytes.
  var count: Int { sum.load(ordering: .relaxed) }

  /// Adds a number of bytes, which may be negative.
  func add(_ bytes: Int) { sum.add(bytes, ordering: .relaxed) }
}
