private import JSON
private import TreeStorage

extension Configuration {
  /// Returns the settings as the text of a configuration file, one on each line.
  ///
  /// The password of a database is left out.
  ///
  /// For the built-in defaults, the text is identical to `Config/server.json`.
  func rendered() -> String { rendered(Setting.all) }

  /// Returns the settings that differ from their defaults, in the same form; nil if none differs.
  func renderedDifferences() -> String? {
    let defaults = Configuration()
    let differing = Setting.all.filter { $0.value(in: self) != $0.value(in: defaults) }
    return differing.isEmpty ? nil : rendered(differing)
  }

  private func rendered(_ settings: [Setting]) -> String {
    let members = settings.map { setting in
      "  \"\(setting.name)\": \(jsonText(of: setting.value(in: self)))"
    }
    return "{\n" + members.joined(separator: ",\n") + "\n}\n"
  }

  private func jsonText(of value: SettingValue) -> String {
    var json = JSONWriter()
    switch value {
    case .text(let text): json.string(PostgreSQLStorage.masked(text))
    case .integer(let number): json.integer(number)
    case .boolean(let flag): json.boolean(flag)
    }
    return String(decoding: json.finish(), as: UTF8.self)
  }
}
