import TreeDomain
import TreeEngine

/// What is kept of a session while nobody uses it: as much as makes it anew.
///
/// One that has toggled and selected nothing takes three words.
struct SleepingSession {
  /// Options that many sessions share.
  final class Options: Sendable {
    let options: SessionOptions
    private let sum: SessionBytes
    private let bytes: Int

    /// - Parameters:
    ///   - options: The options.
    ///   - sum: The sum that the bytes of the options are in as long as they are kept.
    init(_ options: SessionOptions, countedIn sum: SessionBytes = SessionBytes()) {
      self.options = options
      self.sum = sum
      bytes = 256 + (options.filter?.byteCount ?? 0)
      sum.add(bytes)
    }

    deinit { sum.add(-bytes) }
  }

  /// Its options; the expansion is the one it has by now.
  let options: Options
  /// How many commits it counts that have not changed the data, less the commits to the data before
  /// it began.
  let ahead: Int
  /// What it has toggled and selected, and the answers it keeps for retries; no bytes for nothing.
  let details: [UInt8]

  /// The bytes of what it refers to, without options that others share.
  var byteCount: Int { details.isEmpty ? 0 : details.count + 48 }

  /// Its revision, given how many commits have changed the data.
  func revision(after commits: UInt64) -> Revision {
    Revision(commits &+ UInt64(bitPattern: Int64(ahead)))
  }
}

/// What a sleeping session shows beside its options, its nodes by their ``NodeNumbers``.
struct SleepingState {
  /// What differs from a rule.
  struct Expansion: Equatable {
    /// Nodes that are no sections.
    var toggled: [Int] = []
    var collapsedSections: [Int] = []
  }

  var expansion = Expansion()
  var selected: [Int] = []
  /// The filter's own expansion, by the contract's rule, if there is a filter.
  var filtered: (rule: ExpansionRule, expansion: Expansion)?
  var replays = Replays<SessionAnswer>()

  /// Whether there is nothing to tell.
  private var isEmpty: Bool {
    expansion == Expansion() && selected.isEmpty && filtered == nil && replays.count == 0
  }

  /// How many nodes are named.
  var nodeCount: Int {
    let expansions = [expansion, filtered?.expansion ?? Expansion()]
    return expansions.reduce(selected.count) {
      $0 + $1.toggled.count + $1.collapsedSections.count
    }
  }

  /// The form of ``SleepingSession/details``.
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
