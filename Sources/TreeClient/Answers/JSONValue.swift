/// A JSON value of any form (RFC 8259).
///
/// Whole numbers that fit in `Int` stay exact. Other numbers are rounded to `Double`.
public enum JSONValue: Sendable, Hashable {
  /// A JSON null.
  case null
  /// A Boolean value.
  case bool(Bool)
  /// A whole number.
  case integer(Int)
  /// Another number.
  case number(Double)
  /// A text.
  case string(String)
  /// A list of values.
  case array([JSONValue])
  /// A set of named values, without their order.
  case object([String: JSONValue])

  /// The text, if the value is one.
  public var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The whole number, if the value is one.
  public var integer: Int? {
    guard case .integer(let number) = self else { return nil }
    return number
  }

  /// Returns the member of an object; nil if there is none, or if the value is no object.
  public subscript(name: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[name]
  }
}

extension JSONValue: Codable {
  /// Reads a value of any form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let value): try container.encode(value)
    case .integer(let value): try container.encode(value)
    case .number(let value): try container.encode(value)
    case .string(let value): try container.encode(value)
    case .array(let value): try container.encode(value)
    case .object(let value): try container.encode(value)
    }
  }

  /// Converts a value of a type of the app.
  ///
  /// - Throws: The error of encoding the value.
  public init(encoding value: some Encodable) throws {
    self = try JSONCoding.decode(JSONValue.self, from: JSONCoding.encode(value))
  }
}

extension JSONValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral, ExpressibleByStringLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// Makes a null.
  public init(nilLiteral: ()) { self = .null }

  /// Makes a Boolean value.
  public init(booleanLiteral value: Bool) { self = .bool(value) }

  /// Makes a whole number.
  public init(integerLiteral value: Int) { self = .integer(value) }

  /// Makes a number.
  public init(floatLiteral value: Double) { self = .number(value) }

  /// Makes a text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Makes a list.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }

  /// Makes an object; of members of one name, the last one counts.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(Dictionary(elements) { $1 })
  }
}
