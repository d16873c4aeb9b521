internal import TreeDomain

extension EntryBundle {
  /// An entry of a bundle, which is not known to be as it was written.
  struct Member {
    let tree: TreeNumber
    let number: Int
    let revision: Int
    let nodeCount: Int
    let checksum: Int
    let body: ArraySlice<UInt8>
  }

  /// The entries of a row that is known to be of one tree; `nil` where it does not tell them.
  static func members(heads: [UInt8], body: [UInt8]) -> [Member]? {
    guard let numbers = NumberRows.numbers(in: heads, width: headWidth) else { return nil }
    return stride(from: 0, to: numbers.count, by: headWidth).map { start in
      Member(head: numbers[start..<start + headWidth], body)
    }
  }

  /// The entries of a row that tells twice whose they are, in the order in which they were added.
  ///
  /// Where it is damaged in one place, the other one still tells which trees that concerns.
  ///
  /// - Returns: The entries; `nil` where it cannot be told whose they are.
  static func members(
    places: [UInt8],
    checksum: Int,
    heads: [UInt8],
    body: [UInt8]
  ) -> [Member]? {
    let members = members(heads: heads, body: body)
    guard Checksum().adding(places[...]).value == checksum,
      let places = NumberRows.numbers(in: places, width: placeWidth)
    else {
      guard let members, members.allSatisfy(\.isWhole),
        members.reduce(0, { $0 + $1.body.count }) == body.count
      else { return nil }
      return members
    }
    let isComplete = members?.count == places.count / placeWidth
    return stride(from: 0, to: places.count, by: placeWidth).map { place in
      let lost = Member(lost: places[place + 1], of: TreeNumber(places[place]))
      guard isComplete, let found = members?[place / placeWidth] else { return lost }
      return found.tree == lost.tree && found.number == lost.number ? found : lost
    }
  }
}

extension EntryBundle.Member {
  init(_ entry: StoredEntry, of tree: TreeNumber) {
    self.init(
      tree: tree,
      number: entry.number,
      revision: entry.revision,
      nodeCount: entry.nodeCount,
      checksum: entry.checksum(in: tree),
      body: entry.body[...]
    )
  }

  /// - Parameters:
  ///   - head: A row of ``EntryBundle/heads``.
  ///   - text: The bodies of all.
  fileprivate init(head: ArraySlice<Int>, _ text: [UInt8]) {
    let first = head.startIndex
    let (start, count) = (head[first + 5], head[first + 6])
    let isThere = start <= text.count && count <= text.count - start
    self.init(
      tree: TreeNumber(head[first]),
      number: head[first + 1],
      revision: head[first + 2],
      nodeCount: head[first + 3],
      checksum: isThere ? head[first + 4] : Self.checksumOfNone,
      body: isThere ? text[start..<start + count] : []
    )
  }

  /// One of which no more can be told than that it was there.
  fileprivate init(lost number: Int, of tree: TreeNumber) {
    self.init(
      tree: tree,
      number: number,
      revision: 0,
      nodeCount: 0,
      checksum: Self.checksumOfNone,
      body: []
    )
  }

  private static let checksumOfNone = -1

  var place: Int { RowNumber.entry(number, of: tree) }

  /// Over its numbers alone.
  var head: Checksum { Checksum([tree.value, number, revision, nodeCount]) }

  /// Whether it is as it was written.
  var isWhole: Bool { head.adding(body).value == checksum }

  var entry: StoredEntry {
    StoredEntry(number: number, revision: revision, nodeCount: nodeCount, body: Array(body))
  }
}
