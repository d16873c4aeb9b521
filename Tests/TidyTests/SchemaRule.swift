/// What the description says of a name, and what the code says, are the same.
enum SchemaRule {
  /// Where the description lists the same names as an enumeration of the code.
  enum Place: Sendable {
    /// The properties of all of some schemas.
    case properties(of: [String])
    /// The values of a schema that is an enumeration.
    case values(of: String)
    /// The values of a property of a schema.
    case propertyValues(of: String, property: String)
    /// The values that tell the variants of a schema apart.
    case variants(of: String)
  }

  /// An enumeration of the code with its place in the description.
  struct Pair: Sendable {
    let enumeration: String
    let place: Place
    /// Values of the enumeration that no client can send.
    var internalValues: Set<String> = []
  }

  /// The pairs this project has.
  static let pairs = [
    Pair(enumeration: "ProblemCode", place: .values(of: "ProblemCode")),
    Pair(enumeration: "BatchField", place: .properties(of: ["Batch"])),
    Pair(enumeration: "NodeField", place: .properties(of: ["NewNode"])),
    Pair(enumeration: "SessionField", place: .properties(of: ["NewSession"])),
    Pair(enumeration: "NestedExpansion", place: .values(of: "NestedExpansion")),
    Pair(enumeration: "SortField", place: .properties(of: ["SortDescriptor"])),
    Pair(
      enumeration: "Direction",
      place: .propertyValues(of: "SortDescriptor", property: "direction")
    ),
    Pair(
      enumeration: "Comparison",
      place: .propertyValues(of: "SortDescriptor", property: "compare")
    ),
    Pair(
      enumeration: "OperationName",
      place: .variants(of: "Operation"),
      internalValues: ["put"]
    ),
    Pair(
      enumeration: "OperationField",
      place: .properties(of: [
        "InsertOperation", "UpdateOperation", "RemoveOperation", "MoveOperation",
        "ExpansionOperation", "ExpansionOfAllOperation", "RevealOperation",
      ])
    ),
  ]

  static func findings(
    _ pair: Pair,
    _ scan: OpenAPIScan,
    sources: [SourceText]
  ) -> [Finding] {
    let declared = EnumScan.values(of: pair.enumeration, in: sources)
      .filter { !pair.internalValues.contains($0.text) }
    let described = Set(names(at: pair.place, in: scan))
    let undescribed = declared.filter { !described.contains($0.text) }.map {
      let message = "openapi.yaml lacks \($0.text) of \(pair.enumeration)"
      return Finding(path: $0.path, line: $0.line, message: message)
    }
    let undeclared = described.subtracting(declared.map(\.text)).sorted().map {
      Finding(path: "openapi.yaml", line: 1, message: "\(pair.enumeration) has no \($0)")
    }
    return undescribed + undeclared
  }

  private static func names(at place: Place, in scan: OpenAPIScan) -> [String] {
    switch place {
    case .properties(let schemas):
      schemas.flatMap { scan.component("schemas", $0)?.properties ?? [] }
    case .values(let schema):
      scan.component("schemas", schema)?.enumeration ?? []
    case .propertyValues(let schema, let property):
      scan.component("schemas", schema)?.enumeration(of: property) ?? []
    case .variants(let schema):
      scan.component("schemas", schema)?.variants ?? []
    }
  }
}
