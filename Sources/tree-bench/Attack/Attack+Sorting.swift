extension Attack {
  /// Updates of one small node among large siblings that lack the value by which their tree sorts.
  ///
  /// The size is that of a sibling in KiB.
  static let sortedUpdates = Attack(
    name: "sorted-updates",
    smallSize: 1,
    largeSize: 794
  ) { field in
    let trees = (0..<4).map { number in
      let tree = field.makeTree("sorted\(number)", #","sort":[{"by":"/q"}]"#)
      field.insert(64, Self.object(bytes: field.size << 10), into: tree)
      field.apply([#"{"op":"insert","key":"small","object":{}}"#], to: tree)
      return tree
    }
    field.begin(reading: field.makeSession(trees[0]))
    field.attack(4) { client, number in
      let operations = (0..<190).map { #"{"op":"update","key":"small","object":{"q":\#($0)}}"# }
      return client.send("POST", "/v1/trees/\(trees[number])/batch", AttackField.batch(operations))
    }
  }

  /// Sorts of a few large objects by many values that they lack; the size is that of an object in
  /// KB.
  static let byteSorts = Attack(name: "byte-sorts", smallSize: 5, largeSize: 520) { field in
    let trees = (0..<4).map { number in
      let tree = field.makeTree("bytes\(number)")
      field.insert(80, Self.object(bytes: field.size * 1_000), into: tree)
      return tree
    }
    let descriptors = (0..<16).map { #"{"by":"/z\#($0)"}"# }.joined(separator: ",")
    let sort = #"{"op":"sort","key":null,"by":[\#(descriptors)]}"#
    let sorts = [String](repeating: sort, count: field.isSmall ? 4 : 80)
    field.begin(reading: field.makeSession(trees[0]))
    field.attack(4) { client, number in
      client.send("POST", "/v1/trees/\(trees[number])/batch", AttackField.batch(sorts))
    }
  }

  /// Insertions at sorted places among unsorted siblings.
  ///
  /// The size is the number of siblings, and of the insertions in one batch.
  static let unsortedPlaces = Attack(
    name: "unsorted-places",
    smallSize: 100,
    largeSize: 16_000
  ) { field in
    let size = field.size
    var lines = ""
    for number in 0..<size {
      lines += "{\"key\":\"k\(number)\",\"object\":{\"q\":\(number * 7_919 % size)}}\n"
    }
    let tree = field.makeTree("unsorted", lines: Array(lines.utf8))
    field.begin(reading: field.makeSession(tree))
    let round = SharedCount()
    field.attack(1) { client, _ in
      let number = round.withLock { round in
        round += 1
        return round
      }
      let operations = (0..<size).map { place in
        #"{"op":"insert","key":"i\#(number)-\#(place)","object":{"q":\#(place)},"#
          + #""sort":[{"by":"/q"}]}"#
      }
      return client.send("POST", "/v1/trees/\(tree)/batch", AttackField.batch(operations))
    }
  }

  /// Ten sorts of all siblings by different orders in one batch; the size is the number of
  /// siblings.
  static let rollback = Attack(name: "rollback", smallSize: 500, largeSize: 1_000_000) { field in
    let lines = ImportLines(roots: field.size).bytes
    let tree = field.makeTree("rollback", lines: lines)
    let sorts = (0..<10).map { number in
      let direction = number % 2 == 0 ? "descending" : "ascending"
      return #"{"op":"sort","key":null,"by":[{"by":"/title","direction":"\#(direction)"}]}"#
    }
    field.begin(reading: field.makeSession(tree))
    field.attack(2) { client, _ in
      client.send("POST", "/v1/trees/\(tree)/batch", AttackField.batch(sorts))
    }
  }

  /// Returns an object with many members, of about the given number of bytes.
  static func object(bytes: Int) -> String {
    let members = (0..<max(1, bytes / 20)).map { #""m\#(100_000 + $0)":"abcdef""# }
    return "{" + members.joined(separator: ",") + "}"
  }
}
