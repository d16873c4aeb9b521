private import JSON

/// The parsed command line.
struct CommandLineArguments: Sendable {
  /// True if `--help` or `-h` was given: the program prints ``helpText()`` and stops.
  private(set) var wantsHelp = false

  /// True if `--version` was given: the program prints the version and stops.
  private(set) var wantsVersion = false

  /// True if `--check` was given: the program resolves and prints the configuration, verifies the
  /// storage, and stops.
  private(set) var wantsCheck = false

  /// The value of `--copy-to`, if it was given.
  private(set) var copyTarget: String?

  /// The value of `--config`, if it was given.
  private(set) var configurationPath: String?

  /// The settings given as flags.
  private(set) var settings = SettingLayer()

  /// The flags that are not settings.
  static let ownFlags = ["--help", "--version", "--check", "--config", "--copy-to"]

  /// Parses the arguments that follow the program's name.
  ///
  /// The value of a flag is the next argument, or the text after a `=`. A boolean flag without a
  /// value is true.
  ///
  /// - Throws: ``ConfigurationError`` for an unknown flag, a missing value, a setting given twice,
  ///   an argument that is no flag, or a value of the wrong type.
  init(parsing arguments: [String]) throws(ConfigurationError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else { throw .unexpectedArgument(argument) }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let flag = String(parts[0])
      try read(flag, attached: parts.count > 1 ? String(parts[1]) : nil, from: &rest)
    }
  }

  private mutating func read(
    _ flag: String,
    attached: String?,
    from rest: inout ArraySlice<String>
  ) throws(ConfigurationError) {
    switch flag {
    case "--help", "-h": wantsHelp = true
    case "--version": wantsVersion = true
    case "--check": wantsCheck = true
    case "--config":
      guard configurationPath == nil else { throw .givenTwice(flag) }
      configurationPath = try value(of: flag, attached: attached, from: &rest)
    case "--copy-to":
      guard copyTarget == nil else { throw .givenTwice(flag) }
      copyTarget = try value(of: flag, attached: attached, from: &rest)
    default:
      try readSetting(flag, attached: attached, from: &rest)
    }
  }

  private mutating func readSetting(
    _ flag: String,
    attached: String?,
    from rest: inout ArraySlice<String>
  ) throws(ConfigurationError) {
    guard let setting = Setting.all.first(where: { $0.flag == flag }) else {
      let known = Setting.all.map(\.flag) + Self.ownFlags
      throw .unknown(kind: "flag", name: flag, nearest: nearestName(to: flag, among: known))
    }
    if case .boolean = setting.field, attached == nil, rest.first?.hasPrefix("-") ?? true {
      return try settings.add(setting, .boolean(true), from: flag)
    }
    let text = try value(of: flag, attached: attached, from: &rest)
    try settings.add(setting, setting.value(reading: text, from: flag), from: flag)
  }

  private func value(
    of flag: String,
    attached: String?,
    from rest: inout ArraySlice<String>
  ) throws(ConfigurationError) -> String {
    if let attached { return attached }
    guard let next = rest.first, !next.hasPrefix("--") else { throw .missingValue(flag) }
    rest.removeFirst()
    return next
  }
}
