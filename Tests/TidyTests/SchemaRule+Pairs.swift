import Testing

extension SchemaRule {
  /// A list of names in the code and the same list in the description.
  struct Pair: Sendable, CustomTestStringConvertible {
    let code: Code
    let place: Place
    var testDescription: String { "\(code) and \(place)" }

    init(_ code: Code, _ place: Place) {
      self.code = code
      self.place = place
    }
  }

  /// The pairs this project has.
  static let pairs = requests + answers

  private static let requests = [
    Pair(.enumeration("BatchField"), .properties(["Batch"])),
    Pair(.enumeration("NodeField"), .properties(["NewNode"])),
    Pair(.enumeration("SessionField"), .properties(["NewSession"])),
    Pair(.enumeration("NestedExpansion"), .values("NestedExpansion")),
    Pair(.enumeration("SortField"), .properties(["SortDescriptor"])),
    Pair(.enumeration("Direction"), .propertyValues("SortDescriptor", property: "direction")),
    Pair(.enumeration("Comparison"), .propertyValues("SortDescriptor", property: "compare")),
    Pair(.enumeration("OperationName", except: ["put"]), .variants("Operation")),
    Pair(
      .enumeration("OperationField"),
      .properties([
        "InsertOperation", "UpdateOperation", "RemoveOperation", "MoveOperation",
        "ExpansionOperation", "ExpansionOfAllOperation", "RevealOperation",
      ])
    ),
  ]

  private static let answers = [
    Pair(.enumeration("ProblemCode"), .values("ProblemCode")),
    Pair(
      .writer("Sources/TreeDomain/Vocabulary/ServiceError.swift"),
      .properties(["Problem"], except: ["type", "title", "status"])
    ),
    Pair(.enumeration("ChangeFormat"), .propertyValues("ChangeList", property: "format")),
    Pair(answer("BatchAnswer"), .properties(["ChangeList"])),
    Pair(
      answer("Change+Write"),
      .properties(["DeleteChange", "InsertChange", "MoveChange", "UpdateChange"])
    ),
    Pair(answer("SessionDescription"), .properties(["Session"])),
    Pair(answer("RowPage"), .properties(["RowPage"])),
    Pair(answer("ChildRange"), .properties(["ChildRange"])),
    Pair(answer("Ancestors"), .properties(["Ancestors"])),
    Pair(answer("Ancestor"), .properties(["Ancestor"])),
    Pair(answer("NodeView"), .properties(["SingleRow"])),
    Pair(answer("Row"), .properties(["Row"])),
    Pair(answer("Row"), .values("RowField")),
  ]

  private static func answer(_ name: String) -> Code {
    .writer("Sources/TreeDomain/Answers/\(name).swift")
  }
}
