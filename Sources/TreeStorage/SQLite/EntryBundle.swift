internal import TreeDomain

/// Entries that stand in one row of a table.
///
/// Their bodies are one text, and what else there is of them is another, so that whoever looks with
/// another program finds each of them (the view `journal`). An entry has a checksum over all of it,
/// with which it can be told whether it is as it was written.
struct EntryBundle {
  /// Of each entry the number of its tree and its own, unless all are of a tree that is known.
  private var places = NumberRows()
  /// Of each the same, its revision, the number of nodes, its checksum, and where its body begins
  /// and how many bytes it has.
  private var heads = NumberRows()
  /// Their bodies, one behind the other.
  private var body: [UInt8] = []
  private let isOfOneTree: Bool

  /// How many numbers are in a row of the places.
  static let placeWidth = 2
  /// How many numbers are in a row of the heads.
  static let headWidth = 7
  /// About how long a row becomes.
  private static let maxBytes = 16_384

  init(ofOneTree isOfOneTree: Bool) { self.isOfOneTree = isOfOneTree }

  var isEmpty: Bool { heads.count == 0 }

  /// Whether no more is to be added.
  var isFull: Bool { body.count >= Self.maxBytes }

  /// Adds an entry behind all others.
  mutating func add(_ member: Member) {
    if !isOfOneTree { places.add([member.tree.value, member.number]) }
    heads.add([
      member.tree.value, member.number, member.revision, member.nodeCount, member.checksum,
      body.count, member.body.count,
    ])
    body += member.body
  }

  /// Takes the texts of all there is in it; then there is nothing.
  mutating func finish() -> Texts {
    defer { body = [] }
    return Texts(places: places.finish(), heads: heads.finish(), body: body)
  }

  /// What is written of it.
  struct Texts {
    let places: [UInt8]
    let heads: [UInt8]
    let body: [UInt8]
  }
}
