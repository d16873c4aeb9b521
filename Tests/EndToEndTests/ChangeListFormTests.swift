import TestSupport
import Testing
import TreeSessions

/// The forms of a change list: rows, ranges, included rows, and nodes to load.
struct ChangeListFormTests {
  @Test(arguments: Reach.allCases)
  func `a list with more entries than allowed takes the form of ranges`(reach: Reach) throws {
    var limits = SessionLimits()
    limits.maxChanges = 20
    try reach.withAccess(limits: limits) { access in
      var options = ModelSessionOptions()
      options.nodes = [.folder("a", leaves: 19), .folder("b", leaves: 20)]
      let pair = try ModelPair(access, options)
      // Each toggle is as many structural entries as there are leaves, and one update.
      for (key, format) in [("a", ChangeList.Format.rows), ("b", .ranges)] {
        let key = ModelKey(key)
        for operation in [
          ModelOperation.collapse(key, levels: .count(1)), .expand(key, levels: .count(1)),
        ] {
          for query in ["", "changes=rows", "changes=ranges"] {
            let opposite = try pair.apply([operation], query: query).list
            #expect(opposite.format == (query == "changes=ranges" ? .ranges : format))
            #expect(opposite.revision == opposite.previousRevision + 1)
            _ = try pair.apply([.toggle(key, levels: .count(1))], query: query)
          }
          _ = try pair.apply([operation], query: "")
        }
      }
      let moved = try pair.apply([.move(["b"], parent: "a", place: .first)], query: "").list
      #expect(moved.format == .ranges)
    }
  }

  @Test(arguments: Reach.allCases)
  func `rows are included up to the limit`(reach: Reach) throws {
    try reach.withAccess { access in
      for query in ["changes=rows", "changes=ranges"] {
        var options = ModelSessionOptions()
        options.nodes = [.folder("a", leaves: 8), .folder("b", leaves: 8)]
        options.rule = .none
        let pair = try ModelPair(access, options)
        let both: [ModelOperation] = [
          .expand("a", levels: .all), .expand("b", levels: .all), .update("b.3", object: .null),
        ]
        for (limit, expected) in [(1, 1), (5, 5), (11, 11), (18, 18), (1_000, 18)] {
          let list = try pair.apply(both, query: "\(query)&include=rows&limit=\(limit)").list
          #expect(list.entries.reduce(0) { $0 + ($1.rows?.count ?? 0) } == expected)
          try expectTrueRows(list, pair.model)
          _ = try pair.apply([.collapseAll], query: "")
        }
      }
    }
  }

  /// Expects that the included rows are the first of their entries, as they are after the batch.
  private func expectTrueRows(_ list: ChangeList, _ model: ModelSession) throws {
    var mayFollow = true
    for entry in list.entries where entry.kind != .delete {
      let rows = entry.rows ?? []
      let first = try #require(entry.newIndex)
      for (offset, row) in rows.enumerated() {
        let difference = model.rows[first + offset].difference(from: row)
        #expect(difference == nil)
      }
      #expect(rows.isEmpty || mayFollow, "a row follows one that was left out")
      mayFollow = rows.count == entry.count
    }
  }

  @Test(arguments: Reach.allCases)
  func `unloaded nodes are listed when they become expanded`(reach: Reach) throws {
    try reach.withAccess { access in
      let session = try RemoteSession(
        access,
        """
        {"expansion":"none","nodes":[{"key":"a","children":[\
        {"key":"x","children":"unloaded"},{"key":"y","children":"unloaded"},{"key":"z"}]},\
        {"key":"w","children":"unloaded"}]}
        """
      )
      for (operations, unloaded) in [
        (#"[{"op":"expand","key":"a"}]"#, []),
        (#"[{"op":"expand","key":"x"}]"#, ["x"]),
        (#"[{"op":"expand","key":"x"}]"#, []),
        (#"[{"op":"toggle","key":"y"},{"op":"toggle","key":"y"}]"#, []),
        (#"[{"op":"toggle","key":"y"},{"op":"toggle","key":"x"}]"#, ["y"]),
        (#"[{"op":"expand","key":"x"},{"op":"remove","key":"x"}]"#, []),
        (#"[{"op":"collapse","key":"a","levels":"all"}]"#, []),
        (#"[{"op":"expand","key":"a","levels":"all"},{"op":"expand","key":"w"}]"#, ["y", "w"]),
      ] {
        let answer = try session.apply(operations)
        #expect(answer["unloaded"]?.elements?.compactMap(\.string) == unloaded, "\(operations)")
      }
      #expect(try session.read("/nodes/w")["childCount"]?.isNull == true)
    }
  }

  @Test(arguments: Reach.allCases)
  func `large expanded folders move as few ranges`(reach: Reach) throws {
    try reach.withAccess { access in
      var options = ModelSessionOptions()
      options.nodes = (0..<4).map { .folder("f\($0)", leaves: 150) }
      let pair = try ModelPair(access, options)
      let moves: [[ModelOperation]] = [
        [.move(["f3"], parent: nil, place: .first)],
        [.move(["f0"], parent: "f2", place: .index(75))],
        [.move(["f1", "f3"], parent: "f0.149", place: .first)],
        [
          .move(["f1"], parent: nil, place: .first), .collapse("f0", levels: .count(1)),
          .move(["f0"], parent: "f1", place: .index(10)), .expand("f0", levels: .count(1)),
        ],
        [.move(["f2"], parent: nil, place: .first), .move(["f2"], parent: nil, place: .index(1))],
      ]
      for operations in moves {
        let query = "changes=ranges&include=rows&limit=1000"
        let list = try pair.apply(operations, query: query).list
        #expect(list.format == .ranges && list.entries.count < 12, "\(list.entries.count)")
        #expect(try pair.session.keys() == pair.model.rows.map(\.key.description))
      }
    }
  }

  @Test(arguments: Reach.allCases)
  func `a move includes the descendants, even if the row order changed since`(
    reach: Reach
  ) throws {
    try reach.withAccess { access in
      let nodes =
        #"[{"key":"a","section":"A","children":[{"key":"a0"}]},{"key":"b","section":"B"}]"#
      let session = try RemoteSession(access, #"{"sections":["A","B"],"nodes":\#(nodes)}"#)
      try session.apply(
        #"[{"op":"insertSection","section":"N","index":0},"#
          + #"{"op":"move","key":"a","section":"N"},{"op":"removeSection","section":"A"}]"#
      )
      let order = Array(#"{"order":"breadthFirst"}"#.utf8)
      #expect(try session.send("PATCH", "", headers: [], body: order).status == 200)
      let list = try ChangeList(session.read("/changes?since=0"))
      let moved = list.entries.filter { $0.kind == .move }.compactMap(\.key)
      #expect(moved == ["a", "a0"], "the section that a0 was in is gone")
    }
  }
}
