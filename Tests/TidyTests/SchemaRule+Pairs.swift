import Testing

extension SchemaRule {
  /// A list of names in the code and the corresponding one in the description.
  struct Pair: Sendable, CustomTestStringConvertible {
    let code: Code
    let place: Place
    var testDescription: String { "\(code) and \(place)" }

    init(_ code: Code, _ place: Place) {
      self.code = code
      self.place = place
    }
  }

  /// The pairs of this project.
  static let pairs = requests + answers

  private static let requests = [
    Pair(.enumeration("BatchField"), .properties(["Batch"])),
    Pair(.enumeration("NodesField"), .properties(["NodesQuery"])),
    Pair(.enumeration("NodeField"), .properties(["NewRoot"])),
    Pair(.enumeration("SessionField"), .properties(["NewSession"])),
    Pair(.enumeration("OptionField"), .properties(["SessionPatch"])),
    Pair(.enumeration("StateField"), .properties(["State"])),
    Pair(.enumeration("TreeField"), .properties(["NewTree"])),
    Pair(.enumeration("ImportField"), .properties(["ImportedNode"])),
    Pair(.enumeration("SelectionField"), .properties(["SelectOptions"])),
    Pair(
      .enumeration("FilterField"),
      .properties(["FilterTest", "FilterAll", "FilterAny", "FilterNot"])
    ),
    Pair(.enumeration("NestedExpansion"), .values("NestedExpansion")),
    Pair(.enumeration("SessionAccess"), .values("SessionAccess")),
    Pair(.enumeration("RowOrder"), .values("RowOrder")),
    Pair(.enumeration("SelectionMode"), .values("SelectionMode")),
    Pair(.enumeration("SortField"), .properties(["SortDescriptor"])),
    Pair(.enumeration("Direction"), .values("SortDirection")),
    Pair(.enumeration("Comparison"), .values("SortComparison")),
    Pair(.enumeration("OperationName", except: ["put"]), .variants("Operation")),
    Pair(.enumeration("OperationField"), .properties(operations)),
  ]

  private static let operations = [
    "Insert", "Update", "Remove", "Move", "SetChildren", "Sort", "InsertSection", "RemoveSection",
    "MoveSection", "RenameSection", "Expand", "Collapse", "Toggle", "ExpandAll", "CollapseAll",
    "Reveal", "Select", "Deselect", "ClearSelection", "ExpandSection", "CollapseSection",
  ].map { $0 + "Operation" }

  private static let answers = [
    Pair(.enumerations(["ProblemCode", "ServiceErrorCode"]), .values("ProblemCode")),
    Pair(
      .writers(["Sources/TreeDomain/Vocabulary/ServiceError.swift"]),
      .properties(["Problem"], except: ["type", "title", "status"])
    ),
    Pair(.enumeration("ChangeFormat"), .values("ChangeFormat")),
    Pair(answer("BatchAnswer"), .properties(["ChangeList"])),
    Pair(
      .writers([
        "Sources/TreeDomain/Answers/Change+Write.swift",
        "Sources/TreeDomain/Answers/Change+WriteRows.swift",
      ]),
      .properties(changes)
    ),
    Pair(
      .writers([
        "Sources/TreeDomain/Answers/SessionDescription.swift",
        "Sources/TreeDomain/Vocabulary/SessionOptions.swift",
      ]),
      .properties(
        ["Session", "SessionSecret", "ChangeList"],
        except: ["index", "origin", "format", "changes", "unloaded"]
      )
    ),
    Pair(
      .writers([
        "Sources/TreeDomain/Vocabulary/SessionState.swift",
        "Sources/TreeDomain/Vocabulary/SessionOptions.swift",
      ]),
      .properties(["State"])
    ),
    Pair(answer("RowPage"), .properties(["RowPage"])),
    Pair(answer("NodeList"), .properties(["NodeList"])),
    Pair(answer("ChildRange"), .properties(["ChildRange"])),
    Pair(answer("Ancestors"), .properties(["AncestorList"])),
    Pair(answer("NodeView"), .properties(["RowSource"])),
    Pair(answer("RowPlace", "Row+Write"), .properties(["Row"])),
    Pair(answer("RowPlace", "Row+Write"), .values("RowField")),
    Pair(answer("SectionView"), .properties(["Section"])),
    Pair(answer("SearchResult"), .properties(["SearchResult"])),
    Pair(answer("TreeDescription"), .properties(["Tree"])),
    Pair(answer("TreePage"), .properties(["TreePage"])),
    Pair(answer("TreeNodeView"), .properties(["TreeNodeView"])),
    Pair(answer("TreeNodeList"), .properties(["TreeNodeList"])),
    Pair(answer("TreeChildRange"), .properties(["TreeChildRange"])),
    Pair(answer("TreeBatchAnswer"), .properties(["TreeChange"])),
  ]

  private static let changes = [
    "Delete", "Insert", "Move", "Update", "DeleteSection", "InsertSection", "MoveSection",
    "UpdateSection",
  ].map { $0 + "Change" }

  private static func answer(_ names: String...) -> Code {
    .writers(names.map { "Sources/TreeDomain/Answers/\($0).swift" })
  }
}
