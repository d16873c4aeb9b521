/// A value someone gave for a setting, before it is checked against the table.
enum SettingValue: Equatable, Sendable {
  case text(String)
  case integer(Int)
  case boolean(Bool)
}

extension Setting {
  /// Reads a value from the text of a flag or of an environment variable.
  ///
  /// - Parameters:
  ///   - text: Decimal digits for an integer, `true` or `false` for a boolean, anything for a text.
  ///   - source: What to call the place in an error, such as `--port`.
  /// - Returns: The value; its range is checked by ``apply(_:from:to:)``.
  /// - Throws: ``ConfigurationError/wrongType(source:expected:found:)``.
  func value(
    reading text: String,
    from source: String
  ) throws(ConfigurationError) -> SettingValue {
    switch field {
    case .text:
      return .text(text)
    case .integer:
      guard let number = decimalNumber(text) else {
        throw .wrongType(source: source, expected: field.expectation, found: text)
      }
      return .integer(number)
    case .boolean:
      guard text == "true" || text == "false" else {
        throw .wrongType(source: source, expected: field.expectation, found: text)
      }
      return .boolean(text == "true")
    }
  }

  /// Puts a value into its field, if it has the right type and lies in range.
  ///
  /// - Throws: ``ConfigurationError/wrongType(source:expected:found:)`` or
  ///   ``ConfigurationError/outOfRange(source:value:range:)``.
  func apply(
    _ value: SettingValue,
    from source: String,
    to configuration: inout Configuration
  ) throws(ConfigurationError) {
    switch (field, value) {
    case (.text(let path), .text(let text)):
      configuration[keyPath: path] = text
    case (.integer(let path, let range), .integer(let number)):
      guard range.contains(number) else {
        throw .outOfRange(source: source, value: number, range: range)
      }
      configuration[keyPath: path] = number
    case (.boolean(let path), .boolean(let flag)):
      configuration[keyPath: path] = flag
    default:
      throw .wrongType(source: source, expected: field.expectation, found: value.description)
    }
  }

  /// The value this setting has in a configuration.
  func value(in configuration: Configuration) -> SettingValue {
    switch field {
    case .text(let path): .text(configuration[keyPath: path])
    case .integer(let path, _): .integer(configuration[keyPath: path])
    case .boolean(let path): .boolean(configuration[keyPath: path])
    }
  }
}

extension Setting.Field {
  /// What an error message asks for.
  var expectation: String {
    switch self {
    case .text: "a string"
    case .integer(_, let range):
      "a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .boolean: "true or false"
    }
  }
}

extension SettingValue: CustomStringConvertible {
  /// The value as it is written on a command line.
  var description: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .boolean(let flag): String(flag)
    }
  }
}

/// Reads an unsigned decimal number, or gives nil: no sign, no space, no overflow.
///
/// `Int(_: String)` takes `+5` and `-0`, which nobody means to write here.
private func decimalNumber(_ text: String) -> Int? {
  guard !text.isEmpty else { return nil }
  var number = 0
  for digit in text.utf8 {
    guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
    let (tens, tooLarge) = number.multipliedReportingOverflow(by: 10)
    let (sum, overflow) = tens.addingReportingOverflow(Int(digit - UInt8(ascii: "0")))
    guard !tooLarge && !overflow else { return nil }
    number = sum
  }
  return number
}
