private import JSON

/// A configuration file that is parsed.
struct ConfigurationFile {
  private let path: String
  private var reader: JSONReader

  private init(_ bytes: [UInt8], path: String) {
    self.path = path
    reader = JSONReader(bytes)
  }

  /// Parses the settings of a configuration file.
  ///
  /// Their ranges are not checked.
  ///
  /// - Parameters:
  ///   - bytes: One JSON object whose members are settings. Each member is optional.
  ///   - path: The name of the file in errors.
  /// - Returns: The settings that the file gives.
  /// - Throws: ``ConfigurationError`` if the file is no such object, or if a member is unknown, is
  ///   given twice, or has the wrong type.
  static func settings(
    in bytes: [UInt8],
    named path: String
  ) throws(ConfigurationError) -> SettingLayer {
    var file = ConfigurationFile(bytes, path: path)
    return try file.settings()
  }

  private mutating func settings() throws(ConfigurationError) -> SettingLayer {
    var layer = SettingLayer()
    try parse { (json) throws(JSONError) in try json.beginObject() }
    while let name = try nextName() {
      let known = Setting.all.map(\.name)
      guard let setting = Setting.all.first(where: { $0.name == name }) else {
        let nearest = nearestName(to: name, among: known)
        throw .unknown(kind: "setting in \(path):", name: name, nearest: nearest)
      }
      let source = "\(name) in \(path)"
      try layer.add(setting, value(of: setting, from: source), from: source)
    }
    try parse { (json) throws(JSONError) in try json.finish() }
    return layer
  }

  private mutating func nextName() throws(ConfigurationError) -> String? {
    try parse { (json) throws(JSONError) in
      try json.nextMember().map { text($0, in: json) }
    }
  }

  private mutating func value(
    of setting: Setting,
    from source: String
  ) throws(ConfigurationError) -> SettingValue {
    let plain = try parse { (json) throws(JSONError) -> SettingValue? in
      switch try json.peekKind() {
      case .string: try .text(text(json.readString(), in: json))
      case .boolean: try .boolean(json.readBool())
      default: nil
      }
    }
    if let plain { return plain }
    let range = try parse { (json) throws(JSONError) in try json.skipValue() }
    let found = String(decoding: reader.bytes[range], as: UTF8.self)
    guard case .integer = setting.field else {
      throw .wrongType(source: source, expected: setting.field.expectation, found: found)
    }
    return try setting.value(reading: found, from: source)
  }

  /// Runs a reader, and turns its error into a ``ConfigurationError``.
  private mutating func parse<Value>(
    _ read: (inout JSONReader) throws(JSONError) -> Value
  ) throws(ConfigurationError) -> Value {
    do throws(JSONError) {
      return try read(&reader)
    } catch {
      throw .malformed(path: path, reason: reason(for: error))
    }
  }

  private func reason(for fault: JSONError) -> String {
    guard fault.isSyntaxFault else { return "it must be one JSON object" }
    let line = reader.bytes[..<fault.offset].count { $0 == UInt8(ascii: "\n") } + 1
    return "it is not JSON; look at line \(line)"
  }
}

private func text(_ string: JSONString, in reader: JSONReader) -> String {
  String(decoding: string.decoded(from: reader.bytes), as: UTF8.self)
}
