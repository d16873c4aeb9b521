internal import TreeDomain

extension EntryBundle {
  /// An entry of a bundle.
  ///
  /// It may be damaged; see ``isWhole``.
  struct Member {
    let tree: TreeNumber
    let number: Int
    let revision: Int
    let nodeCount: Int
    let checksum: Int
    let body: ArraySlice<UInt8>
  }

  /// Returns the entries of a row of one tree; `nil` if the heads cannot be read.
  ///
  /// An entry whose body is out of bounds is returned as damaged.
  static func members(heads: [UInt8], body: [UInt8]) -> [Member]? {
    guard let numbers = NumberRows.numbers(in: heads, width: headWidth) else { return nil }
    return stride(from: 0, to: numbers.count, by: headWidth).map { start in
      Member(head: numbers[start..<start + headWidth], body)
    }
  }

  /// Returns the entries of a row of the table `bundles`, in the order in which they were added.
  ///
  /// The row names tree and number of each entry twice: in `places` and in `heads`. If one is
  /// damaged, the other one still names the trees concerned. Entries that cannot be read are
  /// returned as damaged.
  ///
  /// - Returns: The entries; `nil` if both are damaged, so that the trees are unknown.
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
  init(_ entry: StoredEntry, of tree: TreeNumber, checksum: Int) {
    self.init(
      tree: tree,
      number: entry.number,
      revision: entry.revision,
      nodeCount: entry.nodeCount,
      checksum: checksum,
      body: entry.body[...]
    )
  }

  /// Makes an entry from its head.
  ///
  /// - Parameters:
  ///   - head: A row of ``EntryBundle/heads``.
  ///   - text: The bodies of all entries.
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

  /// Makes an entry of which only the number and the tree are known.
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

  /// The checksum over the numbers alone.
  var head: Checksum { Checksum([tree.value, number, revision, nodeCount]) }

  /// True if the entry is as it was written.
  var isWhole: Bool { head.adding(body).value == checksum }

  var entry: StoredEntry {
    StoredEntry(number: number, revision: revision, nodeCount: nodeCount, body: Array(body))
  }
}
