/// Rules that keep `openapi.yaml` complete and consistent.
enum OpenAPIRule {
  static func findings(_ scan: OpenAPIScan) -> [Finding] {
    scan.operations.flatMap { findings(for: $0, in: scan) } + duplicates(scan) + untagged(scan)
      + references(scan)
  }

  private static func findings(
    for operation: OpenAPIScan.Operation,
    in scan: OpenAPIScan
  ) -> [Finding] {
    var messages = ["operationId", "tags", "summary", "responses"].filter {
      operation.members[$0] == nil
    }.map { "has no \($0)" }
    if !operation.statuses.contains("default") { messages.append("has no default response") }
    let inPath = operation.parameters.filter {
      scan.component("parameters", $0)?.member("in") == "path"
    }
    let names = inPath.compactMap { scan.component("parameters", $0)?.member("name") }
    if names != templateParameters(of: operation.path) {
      messages.append("names other path parameters than its path")
    }
    return messages.map {
      let message = "\(operation.method) \(operation.path) \($0)"
      return Finding(path: "openapi.yaml", line: operation.line, message: message)
    }
  }

  private static func duplicates(_ scan: OpenAPIScan) -> [Finding] {
    var seen: Set<String> = []
    return scan.operations.filter { operation in
      guard let name = operation.members["operationId"] else { return false }
      return !seen.insert(name).inserted
    }.map {
      let message = "the operationId of \($0.method) \($0.path) is taken"
      return Finding(path: "openapi.yaml", line: $0.line, message: message)
    }
  }

  /// Finds operations with the status 304 but without an entity tag.
  private static func untagged(_ scan: OpenAPIScan) -> [Finding] {
    let ends = scan.operations.dropFirst().map(\.line) + [Int.max]
    let tags = ["#/components/headers/ETag", "#/components/headers/FileTag"]
    return zip(scan.operations, ends).filter { operation, end in
      operation.statuses.contains("304")
        && !scan.references.contains {
          tags.contains($0.target) && (operation.line..<end).contains($0.line)
        }
    }.map { operation, _ in
      let message = "\(operation.method) \(operation.path) has 304 without an ETag"
      return Finding(path: "openapi.yaml", line: operation.line, message: message)
    }
  }

  private static func references(_ scan: OpenAPIScan) -> [Finding] {
    let defined = scan.components.map {
      (name: "#/components/\($0.kind)/\($0.name)", line: $0.line)
    }
    let names = Set(defined.map(\.name))
    let used = Set(scan.references.map(\.target))
    let broken = scan.references.filter { !names.contains($0.target) }.map {
      Finding(path: "openapi.yaml", line: $0.line, message: "nothing is called \($0.target)")
    }
    // Security schemes are named by requirements and not by references.
    let unused = defined.filter {
      !used.contains($0.name) && !$0.name.contains("/securitySchemes/")
    }.map {
      Finding(path: "openapi.yaml", line: $0.line, message: "nothing refers to \($0.name)")
    }
    return broken + unused
  }

  /// Returns the names in braces in a path, in order.
  static func templateParameters(of path: String) -> [String] {
    path.split(separator: "/").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
      .map { String($0.dropFirst().dropLast()) }
  }
}
