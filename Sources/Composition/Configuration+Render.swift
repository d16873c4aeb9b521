private import JSON

extension Configuration {
  /// The settings as the text of a configuration file, one a line, ending in a line feed.
  ///
  /// For the built-in defaults that is `Config/server.json`, byte for byte.
  func rendered() -> String {
    let members = Setting.all.map { setting in
      "  \"\(setting.name)\": \(jsonText(of: setting.value(in: self)))"
    }
    return "{\n" + members.joined(separator: ",\n") + "\n}\n"
  }

  private func jsonText(of value: SettingValue) -> String {
    var json = JSONWriter()
    switch value {
    case .text(let text): json.string(text)
    case .integer(let number): json.integer(number)
    case .boolean(let flag): json.boolean(flag)
    }
    return String(decoding: json.finish(), as: UTF8.self)
  }
}
