/// Compares names in the code with names in the description.
enum SchemaRule {
  /// A list of names in the code.
  enum Code: Equatable, Sendable {
    /// The raw values of an enumeration, except those that no client can send.
    case enumeration(String, except: Set<String> = [])
    /// The raw values of several enumerations together.
    case enumerations([String])
    /// The members that files write.
    case writers([String])
  }

  /// The corresponding list in the description.
  enum Place: Sendable {
    /// The properties of some schemas, except those that other code writes.
    case properties([String], except: Set<String> = [])
    /// The values of a schema that is an enumeration.
    case values(String)
    /// The discriminator values of the variants of a schema.
    case variants(String)
  }

  static func findings(
    _ code: Code,
    _ place: Place,
    _ scan: OpenAPIScan,
    sources: [SourceText]
  ) -> [Finding] {
    let declared = names(in: code, sources)
    let described = Set(names(at: place, in: scan))
    let undescribed = declared.filter { !described.contains($0.text) }.map {
      Finding(path: $0.path, line: $0.line, message: "openapi.yaml lacks \($0.text)")
    }
    let undeclared = described.subtracting(declared.map(\.text)).sorted().map {
      Finding(path: "openapi.yaml", line: 1, message: "\($0) is not in \(code)")
    }
    return undescribed + undeclared
  }

  /// Returns the names in the code.
  static func names(in code: Code, _ sources: [SourceText]) -> [NameScan.Name] {
    switch code {
    case .enumeration(let name, let others):
      NameScan.values(of: name, in: sources).filter { !others.contains($0.text) }
    case .enumerations(let names): names.flatMap { NameScan.values(of: $0, in: sources) }
    case .writers(let paths):
      sources.filter { paths.contains($0.path) }.flatMap(NameScan.writtenMembers)
    }
  }

  private static func names(at place: Place, in scan: OpenAPIScan) -> [String] {
    func schema(_ name: String) -> OpenAPIScan.Component? { scan.component("schemas", name) }
    return switch place {
    case .properties(let names, let others):
      names.flatMap { schema($0)?.properties ?? [] }.filter { !others.contains($0) }
    case .values(let name): schema(name)?.enumeration ?? []
    case .variants(let name): schema(name)?.variants ?? []
    }
  }
}

extension SchemaRule.Code: CustomStringConvertible {
  var description: String {
    switch self {
    case .enumeration(let name, _): "the enumeration \(name)"
    case .enumerations(let names): names.joined(separator: " and ")
    case .writers(let paths): paths.joined(separator: " and ")
    }
  }
}
