/// The settings from one source: the command line, the environment, or the file.
struct SettingLayer: Sendable {
  /// A value, with its name for error messages.
  private struct Entry: Sendable {
    let setting: Setting
    let value: SettingValue
    let source: String
  }

  private var entries: [Entry] = []

  /// Adds a value.
  ///
  /// - Parameters:
  ///   - setting: The setting.
  ///   - value: The value.
  ///   - source: The name of the setting in this source, such as `--port`.
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

  /// Overwrites settings of a configuration with these values.
  ///
  /// - Throws: ``ConfigurationError/wrongType(source:expected:found:)`` or
  ///   ``ConfigurationError/outOfRange(source:value:range:)``.
  func apply(to configuration: inout Configuration) throws(ConfigurationError) {
    for entry in entries {
      try entry.setting.apply(entry.value, from: entry.source, to: &configuration)
    }
  }
}
