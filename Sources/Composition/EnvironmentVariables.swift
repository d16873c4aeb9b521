private import JSON

/// What the environment asks for.
struct EnvironmentVariables: Sendable {
  /// `TREE_SERVER_CONFIG`: the configuration file, unless the command line names one.
  private(set) var configurationPath: String?

  /// `TREE_SERVER_KEYS`: keys, which are no setting, so that nothing prints them.
  private(set) var keys: [UInt8]?

  /// Every setting given as a variable.
  private(set) var settings = SettingLayer()

  /// The variable that names the configuration file.
  static let configurationVariable = Setting.variablePrefix + "CONFIG"

  /// The variable that has keys.
  static let keysVariable = Setting.variablePrefix + "KEYS"

  /// Reads the variables that start with `TREE_SERVER_`; the others are not this program's.
  ///
  /// - Parameter variables: Lines of the form `NAME=value`.
  /// - Throws: ``ConfigurationError``: an unknown variable, one given twice, or a value of the
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

  /// Whether a variable is what Kubernetes tells every container of a Service that is named
  /// `tree-server`: `SERVICE_HOST`, `SERVICE_PORT` and `SERVICE_PORT_HTTP`, `PORT` with a URL, and
  /// `PORT_8080_TCP` with what is made of it.
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

  /// Reads the variables this process was started with.
  ///
  /// They are taken from `/proc/self/environ`: libc's `environ` is a mutable global, which cannot
  /// be read safely from Swift.
  ///
  /// - Throws: ``ConfigurationError/unreadable(path:reason:)`` where `/proc` is not mounted.
  static func ofThisProcess() throws(ConfigurationError) -> [String] {
    let bytes = try readFile("/proc/self/environ", limit: 4_194_304)
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
