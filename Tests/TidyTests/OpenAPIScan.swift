/// The parts of `openapi.yaml` that the tests need, read line by line.
///
/// The scan understands only the regular form of this file. Paths are indented by 2, methods by 4,
/// the members of an operation by 6, and components by 4.
struct OpenAPIScan: Sendable {
  /// An operation of the description.
  struct Operation: Equatable, Sendable {
    /// The method, in lower case.
    var method: String
    /// The path with its parameters in braces.
    var path: String
    /// The line of the method, counted from 1.
    var line: Int
    /// The members of the operation, such as `operationId`, with their values.
    var members: [String: String] = [:]
    /// The names under `components/parameters` of the parameters of the operation and its path.
    var parameters: [String] = []
    /// The security schemes of the operation; nil if it uses the global ones.
    var schemes: [String]?
    /// The statuses of the answers, and `default`.
    var statuses: [String] = []
  }

  /// A component, such as a schema.
  struct Component: Equatable, Sendable {
    /// The kind, such as `schemas`.
    var kind: String
    /// The name, such as `Row`.
    var name: String
    /// The line of the name, counted from 1.
    var line: Int
    /// The lines below the name.
    var body: [String] = []
  }

  /// The operations, in the order of the file.
  private(set) var operations: [Operation] = []

  /// The components, in the order of the file.
  private(set) var components: [Component] = []

  /// The references, with their lines, counted from 1.
  private(set) var references: [(target: String, line: Int)] = []

  /// The current path of keys, one for each level of indentation.
  private var keys: [String] = []
  private var pathParameters: [String] = []

  init(_ text: String) {
    for (index, line) in splitLines(Array(text.utf8)).enumerated() {
      read(line, number: index + 1)
    }
  }

  /// Returns the component of a kind and a name.
  func component(_ kind: String, _ name: String) -> Component? {
    components.first { $0.kind == kind && $0.name == name }
  }

  private mutating func read(_ line: String, number: Int) {
    let text = line.trimmed
    let level = line.prefix { $0 == " " }.count / 2
    guard !text.isEmpty else { return }
    if let target = Self.reference(text) { references.append((target, number)) }
    if let (key, value) = Self.member(text), level <= keys.count {
      keys.removeSubrange(level...)
      keys.append(key)
      readMember(key, value, level: level, number: number)
    } else {
      readItem(text)
    }
    if keys.first == "components", level > 2, !components.isEmpty {
      components[components.count - 1].body.append(line)
    }
  }

  private mutating func readMember(_ key: String, _ value: String, level: Int, number: Int) {
    switch (keys.first, level) {
    case ("paths", 1):
      pathParameters = []
    case ("paths", 2) where key != "parameters":
      let parameters = pathParameters
      operations.append(
        Operation(method: key, path: keys[1], line: number, parameters: parameters)
      )
    case ("paths", 3):
      operations[operations.count - 1].members[key] = value
      if key == "security" { operations[operations.count - 1].schemes = [] }
    case ("paths", 4) where keys[3] == "responses":
      operations[operations.count - 1].statuses.append(key)
    case ("components", 2):
      components.append(Component(kind: keys[1], name: key, line: number))
    default: break
    }
  }

  private mutating func readItem(_ text: String) {
    if keys.first == "paths", keys.count == 4, keys[3] == "security", text.hasSuffix(": []") {
      operations[operations.count - 1].schemes?.append(String(text.dropFirst(2).dropLast(4)))
    }
    guard keys.first == "paths", let target = Self.reference(text) else { return }
    guard let name = target.split(separator: "/").last, target.contains("/parameters/") else {
      return
    }
    if keys.count == 3 && keys[2] == "parameters" {
      pathParameters.append(String(name))
    } else if keys.count == 4 && keys[3] == "parameters" {
      operations[operations.count - 1].parameters.append(String(name))
    }
  }

  /// Returns the key and the value of a line `key: value`, without quotes around the key.
  private static func member(_ text: String) -> (key: String, value: String)? {
    guard !text.hasPrefix("- "), !text.hasPrefix("#") else { return nil }
    guard let colon = text.ranges(of: ": ").first?.lowerBound ?? text.lastIndex(of: ":") else {
      return nil
    }
    let rest = text[text.index(after: colon)...]
    guard rest.isEmpty || rest.hasPrefix(" ") else { return nil }
    return (text[..<colon].filter { $0 != "'" }, String(rest).trimmed)
  }

  /// Returns the target of a reference in a line, by `$ref` or in the mapping of a discriminator.
  private static func reference(_ text: String) -> String? {
    guard let mark = text.ranges(of: ": '#/").first else { return nil }
    return String(text[mark.lowerBound...].dropFirst(3).prefix { $0 != "'" })
  }
}

extension OpenAPIScan.Component {
  /// Returns the value of a direct member of the component.
  func member(_ name: String) -> String? {
    let prefix = "      \(name): "
    return body.first { $0.hasPrefix(prefix) }.map { String($0.dropFirst(prefix.count)) }
  }

  /// The names of the direct properties of a schema, in order.
  var properties: [String] {
    section("properties").filter { $0.hasPrefix("        ") && !$0.hasPrefix("         ") }
      .map { $0.trimmed.filter { $0 != ":" } }
  }

  /// The values of the direct enumeration of a schema, in order.
  var enumeration: [String] {
    section("enum").filter { $0.hasPrefix("        - ") }.map { String($0.dropFirst(10)) }
  }

  /// The values of a schema's discriminator, in order.
  var variants: [String] {
    Self.section("        mapping:", in: section("discriminator")).map {
      String($0.trimmed.prefix { $0 != ":" })
    }
  }

  private func section(_ name: String) -> ArraySlice<String> {
    Self.section("      \(name):", in: body[...])
  }

  /// Returns the lines below a key that are indented deeper.
  private static func section(_ key: String, in lines: ArraySlice<String>) -> ArraySlice<String> {
    guard let start = lines.firstIndex(of: key) else { return [] }
    let indentation = String(key.prefix { $0 == " " }) + " "
    return lines[(start + 1)...].prefix { $0.hasPrefix(indentation) }
  }
}
