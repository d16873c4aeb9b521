import TreeDomain
import TreeEngine

/// The compact form of a session that nobody uses.
///
/// Without toggled or selected nodes, a filter, or answers for retries, it takes three words.
struct SleepingSession {
  /// Options that many sessions share.
  final class Options: Sendable {
    let options: SessionOptions
    private let sum: SessionBytes
    private let bytes: Int

    /// - Parameters:
    ///   - options: The options.
    ///   - sum: The counter that contains their memory while they exist.
    init(_ options: SessionOptions, countedIn sum: SessionBytes = SessionBytes()) {
      self.options = options
      self.sum = sum
      bytes = 256 + options.byteCount
      sum.add(bytes)
    }

    deinit { sum.add(-bytes) }
  }

  /// The options, with the current expansion rule.
  let options: Options
  /// The revision of the session, minus the number of data commits of the tree.
  let ahead: Int
  /// The encoded ``SleepingState``; empty if there is nothing to store.
  let details: [UInt8]

  /// The memory that it refers to, without shared options, in bytes.
  var byteCount: Int { details.isEmpty ? 0 : details.count + 48 }

  /// Returns the revision, given the number of data commits.
  func revision(after commits: UInt64) -> Revision {
    Revision(commits &+ UInt64(bitPattern: Int64(ahead)))
  }
}

/// The state of a sleeping session besides its options.
///
/// Nodes are represented by their ``NodeNumbers``.
struct SleepingState {
  /// The differences from an expansion rule.
  struct Expansion: Equatable {
    /// The toggled nodes, without sections.
    var toggled: [Int] = []
    var collapsedSections: [Int] = []
  }

  var expansion = Expansion()
  var selected: [Int] = []
  /// The expansion under the filter, with the contract's rule, if there is a filter.
  var filtered: (rule: ExpansionRule, expansion: Expansion)?
  var replays = Replays<SessionAnswer>()

  /// True if there is nothing to store.
  private var isEmpty: Bool {
    expansion == Expansion() && selected.isEmpty && filtered == nil && replays.count == 0
  }

  /// The number of nodes that are named.
  var nodeCount: Int {
    let expansions = [expansion, filtered?.expansion ?? Expansion()]
    return expansions.reduce(selected.count) {
      $0 + $1.toggled.count + $1.collapsedSections.count
    }
  }

  /// The encoded state, for ``SleepingSession/details``.
  var bytes: [UInt8] {
    guard !isEmpty else { return [] }
    var writer = ByteWriter()
    writer.append(expansion)
    writer.append(numbers: selected)
    writer.append(optional: filtered) { writer, filtered in
      writer.append(SessionOptions(expansion: filtered.rule))
      writer.append(filtered.expansion)
    }
    for place in 0..<replays.count { replays.write(place, to: &writer) }
    return writer.bytes
  }

  init() {}

  /// - Throws: `damaged`.
  init(_ bytes: [UInt8]) throws(ImageError) {
    guard !bytes.isEmpty else { return }
    var reader = ByteReader(bytes[...])
    expansion = try reader.sleepingExpansion()
    selected = try reader.numbers()
    filtered = try reader.optional { reader throws(ImageError) in
      (try reader.sessionOptions().expansion, try reader.sleepingExpansion())
    }
    while !reader.isAtEnd { try replays.restore(from: &reader) }
  }
}

extension ByteWriter {
  fileprivate mutating func append(_ expansion: SleepingState.Expansion) {
    append(numbers: expansion.toggled)
    append(numbers: expansion.collapsedSections)
  }

  fileprivate mutating func append(numbers: [Int]) {
    append(count: numbers.count)
    for number in numbers { append(count: number) }
  }
}

extension ByteReader {
  fileprivate mutating func sleepingExpansion() throws(ImageError) -> SleepingState.Expansion {
    SleepingState.Expansion(toggled: try numbers(), collapsedSections: try numbers())
  }

  fileprivate mutating func numbers() throws(ImageError) -> [Int] {
    var numbers: [Int] = []
    for _ in 0..<(try count(upTo: remaining)) { numbers.append(try count()) }
    return numbers
  }
}
