internal import TreeDomain

/// Several entries in one row of a table.
///
/// The bodies are joined in one text; the numbers of the entries are in another, as JSON. So SQL
/// can find each entry (the view `journal`). Each entry has a checksum over its numbers and body.
struct EntryBundle {
  /// The number of its tree and its own number for each entry.
  ///
  /// Empty for a bundle of one tree.
  private var places = NumberRows()
  /// Seven numbers for each entry: tree, number, revision, node count, checksum, and start and
  /// length of its body.
  private var heads = NumberRows()
  /// The bodies, joined.
  private var body: [UInt8] = []
  private let isOfOneTree: Bool

  /// The number of integers in a row of `places`.
  static let placeWidth = 2
  /// The number of integers in a row of `heads`.
  static let headWidth = 7
  /// The approximate length of the bodies at which a bundle is full, in bytes.
  private static let maxBytes = 16_384

  init(ofOneTree isOfOneTree: Bool) { self.isOfOneTree = isOfOneTree }

  var isEmpty: Bool { heads.count == 0 }

  /// True if no more entries should be added.
  var isFull: Bool { body.count >= Self.maxBytes }

  /// Adds an entry after all others.
  mutating func add(_ member: Member) {
    if !isOfOneTree { places.add([member.tree.value, member.number]) }
    heads.add([
      member.tree.value, member.number, member.revision, member.nodeCount, member.checksum,
      body.count, member.body.count,
    ])
    body += member.body
  }

  /// Returns the texts of the bundle, and empties it.
  mutating func finish() -> Texts {
    defer { body = [] }
    return Texts(places: places.finish(), heads: heads.finish(), body: body)
  }

  /// The columns of a bundle.
  struct Texts {
    let places: [UInt8]
    let heads: [UInt8]
    let body: [UInt8]
  }
}
