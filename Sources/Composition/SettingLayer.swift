/// The settings one place gave: the command line, the environment, or the file.
struct SettingLayer: Sendable {
  /// A value with the name of its place, for error messages.
  private struct Entry: Sendable {
    let setting: Setting
    let value: SettingValue
    let source: String
  }

  private var entries: [Entry] = []

  /// Remembers a value.
  ///
  /// - Parameters:
  ///   - setting: The setting.
  ///   - value: What was given for it.
  ///   - source: What the place calls the setting, such as `--port`.
  /// - Throws: ``ConfigurationError/givenTwice(_:)``.
  mutating func add(
    _ setting: Setting,
    _ value: SettingValue,
    from source: String
  ) throws(ConfigurationError) {
    guard !entries.contains(where: { $0.setting.name == setting.name }) else {
      throw .givenTwice(source)
    }
    entries.append(Entry(setting: setting, value: value, source: source))
  }

  /// Writes the values over those a configuration has.
  ///
  /// - Throws: ``ConfigurationError/wrongType(source:expected:found:)`` or
  ///   ``ConfigurationError/outOfRange(source:value:range:)``.
  func apply(to configuration: inout Configuration) throws(ConfigurationError) {
    for entry in entries {
      try entry.setting.apply(entry.value, from: entry.source, to: &configuration)
    }
  }
}
