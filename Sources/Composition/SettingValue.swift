/// A value for a setting, before its type and range are checked.
enum SettingValue: Equatable, Sendable {
  case text(String)
  case integer(Int)
  case boolean(Bool)
}

extension Setting {
  /// Parses a value from the text of a flag or an environment variable.
  ///
  /// - Parameters:
  ///   - text: Decimal digits for an integer, `true` or `false` for a Boolean value, anything for
  ///     text.
  ///   - source: The name of the setting in errors, such as `--port`.
  /// - Returns: The value. ``apply(_:from:to:)`` checks its range.
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

  /// Sets the property of a configuration, after checking type and range.
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
    case (.integer(let path, let range, let factor), .integer(let number)):
      guard range.contains(number) else {
        throw .outOfRange(source: source, value: number, range: range)
      }
      configuration[keyPath: path] = number * factor
    case (.boolean(let path), .boolean(let flag)):
      configuration[keyPath: path] = flag
    default:
      throw .wrongType(source: source, expected: field.expectation, found: value.description)
    }
  }

  /// Returns the value that the setting has in a configuration.
  func value(in configuration: Configuration) -> SettingValue {
    switch field {
    case .text(let path): .text(configuration[keyPath: path])
    case .integer(let path, _, let factor): .integer(configuration[keyPath: path] / factor)
    case .boolean(let path): .boolean(configuration[keyPath: path])
    }
  }
}

extension Setting.Field {
  /// The expected type and range, for an error message.
  var expectation: String {
    switch self {
    case .text: "a string"
    case .integer(_, let range, _):
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

/// Parses an unsigned decimal number; nil for a sign, a space or an overflow.
///
/// `Int(_: String)` accepts `+5` and `-0`, which nobody means to write here.
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
