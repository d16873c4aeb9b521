private import JSON

/// The parsed environment variables.
struct EnvironmentVariables: Sendable {
  /// The value of `TREE_SERVER_CONFIG`, the path of the configuration file.
  ///
  /// `--config` overrides it.
  private(set) var configurationPath: String?

  /// The value of `TREE_SERVER_KEYS`.
  ///
  /// Keys are no setting, so that they are never printed.
  private(set) var keys: [UInt8]?

  /// The settings given as variables.
  private(set) var settings = SettingLayer()

  /// The name of the variable with the path of the configuration file.
  static let configurationVariable = Setting.variablePrefix + "CONFIG"

  /// The name of the variable with keys.
  static let keysVariable = Setting.variablePrefix + "KEYS"

  /// Parses the variables that start with `TREE_SERVER_`.
  ///
  /// All others are ignored.
  ///
  /// - Parameter variables: Texts of the form `NAME=value`.
  /// - Throws: ``ConfigurationError`` for an unknown variable, one given twice, or a value of the
  ///   wrong type.
  init(parsing variables: [String]) throws(ConfigurationError) {
    for variable in variables where variable.hasPrefix(Setting.variablePrefix) {
      let parts = variable.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let value = parts.count > 1 ? String(parts[1]) : ""
      guard !Self.isServiceLink(parts[0].dropFirst(Setting.variablePrefix.count), value) else {
        continue
      }
      try read(String(parts[0]), value)
    }
  }

  /// Returns true for a variable that Kubernetes sets for a Service named `tree-server`.
  ///
  /// These are `SERVICE_HOST`, `SERVICE_PORT`, `SERVICE_PORT_HTTP` and the like, `PORT` with a URL,
  /// and names that begin as `PORT_8080_TCP`.
  private static func isServiceLink(_ name: Substring, _ value: String) -> Bool {
    if name == "SERVICE_HOST" || name == "SERVICE_PORT" || name.hasPrefix("SERVICE_PORT_") {
      return true
    }
    if name == "PORT" { return value.contains("://") }
    return name.hasPrefix("PORT_") && name.dropFirst(5).first?.isNumber == true
  }

  private mutating func read(_ name: String, _ text: String) throws(ConfigurationError) {
    if name == Self.configurationVariable {
      configurationPath = text
      return
    }
    if name == Self.keysVariable {
      guard keys == nil else { throw .givenTwice(name) }
      keys = Array(text.utf8)
      return
    }
    guard let setting = Setting.all.first(where: { $0.variable == name }) else {
      let known = Setting.all.map(\.variable) + [Self.configurationVariable, Self.keysVariable]
      let nearest = nearestName(to: name, among: known)
      throw .unknown(kind: "environment variable", name: name, nearest: nearest)
    }
    try settings.add(setting, setting.value(reading: text, from: name), from: name)
  }

  /// Returns the environment of this process.
  ///
  /// It is read from `/proc/self/environ`, because libc's `environ` is a mutable global and cannot
  /// be read safely from Swift.
  ///
  /// - Throws: ``ConfigurationError/unreadable(path:reason:)`` if `/proc` is not mounted.
  static func ofThisProcess() throws(ConfigurationError) -> [String] {
    let bytes = try readFile("/proc/self/environ", limit: 4_194_304)
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
