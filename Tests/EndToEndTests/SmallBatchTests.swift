import TestSupport
import Testing

/// Tests all pairs of operations on a small tree. They include cases that random batches rarely
/// meet, such as a tree that has lost all of its sections.
struct SmallBatchTests {
  /// The options of a session to start with.
  struct Start: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var options = ModelSessionOptions()

    init(_ name: String, _ change: (inout ModelSessionOptions) -> Void = { _ in }) {
      testDescription = name
      var inner = ModelNestedNode("b", object: Self.object("2"))
      inner.children = .loaded([ModelNestedNode("d", object: Self.object("1"))])
      var outer = ModelNestedNode("a", object: Self.object("3"))
      outer.children = .loaded([inner, ModelNestedNode("c", object: Self.object("2"))])
      options.nodes = [outer, ModelNestedNode("e", object: Self.object("1"))]
      change(&options)
    }

    private static func object(_ number: String) -> RawJSON {
      RawJSON(kind: .number, bytes: Array(number.utf8))
    }
  }

  static let starts = [
    Start("all expanded"),
    Start("none expanded") { $0.rule = .none },
    Start("sections") { options in
      options.sections = ["S"]
      for place in options.nodes.indices { options.nodes[place].section = "S" }
    },
    Start("breadth first") { $0.order = .breadthFirst },
    Start("accordion") { $0.isAccordion = true },
    Start("sorted") { $0.sort = [ModelSort(by: "")] },
    Start("nested expansion forgotten") { $0.forgetsNestedExpansion = true },
    Start("one selected") { $0.selection = .single },
    Start("filtered, in sections") { options in
      options.filter = .value(by: "", .below, operand: "2", caseSensitive: false)
      options.sections = ["S", "T"]
      for place in options.nodes.indices { options.nodes[place].section = "T" }
    },
  ]

  static let operations: [ModelOperation] = [
    .insert(ModelNestedNode("n"), parent: "a", place: .first),
    .insert(ModelNestedNode("n"), parent: nil, section: "S", place: .index(0)),
    .insert(ModelNestedNode("b"), parent: "e", place: .unspecified),
    .remove("a"), .remove("b"), .remove("e"),
    .move(["b"], parent: nil, section: "S", place: .first),
    .move(["b"], parent: nil, place: .after("e")),
    .move(["e"], parent: "b", place: .index(0)), .move(["c", "b"], parent: "a", place: .index(0)),
    .update("b", object: RawJSON(kind: .null, bytes: Array("null".utf8))),
    .setChildren(.node("a"), .nodes([ModelNestedNode("c"), ModelNestedNode("n")])),
    .setChildren(.node("a"), .state(.unloaded, hint: 3)), .setChildren(.node("b"), .none),
    .setChildren(.roots(section: nil), .nodes([ModelNestedNode("e"), ModelNestedNode("a")])),
    .sort(.everywhere, by: [ModelSort(by: "", descending: true)]),
    .expand("a", levels: .all), .collapse("a", levels: .count(1)), .collapse("b", levels: .all),
    .toggle("a", levels: .count(1)), .expandAll, .collapseAll, .reveal(["d"]),
    .select(.subtree("a")), .select(.keys(["e"])), .deselect(.keys(["a"])), .clearSelection,
    .insertSection("S", index: nil), .insertSection("T", index: 0), .removeSection("S"),
    .removeSection("T"), .removeSection(""), .moveSection("S", index: 0),
    .renameSection("S", to: "T"),
    .expandSection("S"), .collapseSection("S"),
  ]

  @Test(arguments: starts)
  func `all pairs of operations agree with the model`(start: Start) throws {
    var random = SeededGenerator(seed: Seed.fromEnvironment())
    try Reach.router.withAccess { access in
      for first in Self.operations {
        for second in Self.operations {
          if !Seed.isExhaustive, !random.oneIn(12) { continue }
          try DifferentialRun.check([first, second], options: start.options, seed: random.next()) {
            try RemoteSession(access, options: $0)
          }
        }
      }
    }
  }

  @Test(arguments: starts)
  func `random triples of operations agree with the model`(start: Start) throws {
    var random = SeededGenerator(seed: Seed.fromEnvironment() &+ 1)
    try Reach.router.withAccess { access in
      for _ in 0..<Seed.iterations(default: 75) {
        let batch = (0..<3).map { _ in random.choice(Self.operations) }
        try DifferentialRun.check(batch, options: start.options, seed: random.next()) {
          try RemoteSession(access, options: $0)
        }
      }
    }
  }
}
