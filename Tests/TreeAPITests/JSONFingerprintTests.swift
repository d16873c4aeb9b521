import TestSupport
import Testing

@testable import TreeAPI

/// A JSON value with several equivalent forms.
private indirect enum Value {
  case word(String)
  /// The equivalent forms of a number.
  case number([String])
  case text(String)
  case array([Value])
  case object([(name: String, value: Value)])

  private static let numbers = [
    ["1", "1.0", "10e-1", "0.1E+1"], ["0", "-0", "0.00", "0e7"], ["-2.5", "-25e-1", "-2.50"],
    ["1e400", "10E399"], ["12345678901234567890", "1234567890123456789e1"],
    ["12345678901234567891"],
  ]
  private static let texts = ["", "a", "null", "1", "é", "\u{1F600}", "a\"b\\", "\n\t\u{1}", "/"]

  static func random(_ random: inout SeededGenerator, levels: Int = 4) -> Value {
    switch random.number(in: levels > 0 ? 0...7 : 0...3) {
    case 0: return .word(random.choice(["true", "false", "null"]))
    case 1: return .number(random.choice(numbers))
    case 2, 3: return .text(random.choice(texts))
    case 4, 5:
      return .array(
        (0..<random.number(in: 0...4)).map { _ in Self.random(&random, levels: levels - 1) }
      )
    default:
      return .object(
        texts.shuffled(using: &random).prefix(random.number(in: 0...5)).map {
          ($0, Self.random(&random, levels: levels - 1))
        }
      )
    }
  }

  /// Returns a random form of the value.
  func written(_ random: inout SeededGenerator) -> String {
    switch self {
    case .word(let word): word
    case .number(let forms): random.choice(forms)
    case .text(let text): Self.written(text, &random)
    case .array(let elements):
      Self.list(elements.map { $0.written(&random) }, "[", "]", &random)
    case .object(let members):
      Self.list(
        members.shuffled(using: &random).map { name, value in
          Self.written(name, &random) + Self.space(&random) + ":" + Self.space(&random)
            + value.written(&random)
        },
        "{",
        "}",
        &random
      )
    }
  }

  private static func written(_ text: String, _ random: inout SeededGenerator) -> String {
    let units = text.unicodeScalars.map { scalar in
      let isEscaped = scalar.value < 0x20 || scalar == "\"" || scalar == "\\" || random.oneIn(3)
      guard isEscaped else { return String(scalar) }
      return String(scalar).utf16.map { unit in
        let digits = String(unit, radix: 16, uppercase: random.oneIn(2))
        return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }.joined()
    }
    return "\"\(units.joined())\""
  }

  private static func list(
    _ parts: [String],
    _ open: String,
    _ close: String,
    _ random: inout SeededGenerator
  ) -> String {
    let spaced = parts.map { space(&random) + $0 + space(&random) }
    return open + (parts.isEmpty ? space(&random) : spaced.joined(separator: ",")) + close
  }

  private static func space(_ random: inout SeededGenerator) -> String {
    random.choice(["", "", " ", "\n  ", "\t\r\n"])
  }

  /// Returns a value that differs in one place.
  func changed(_ random: inout SeededGenerator) -> Value {
    switch self {
    case .word(let word): return .text(word)
    case .number(let forms): return .text(forms[0])
    case .text(let text): return .text(text + random.choice(["a", " ", "\0"]))
    case .array(var elements):
      guard let place = elements.indices.randomElement(using: &random) else { return .object([]) }
      if random.oneIn(3) {
        elements.remove(at: place)
      } else {
        elements[place] = elements[place].changed(&random)
      }
      return .array(elements)
    case .object(var members):
      guard let place = members.indices.randomElement(using: &random) else { return .array([]) }
      switch random.number(in: 0...2) {
      case 0: members.remove(at: place)
      case 1: members[place].name += "b"
      default: members[place].value = members[place].value.changed(&random)
      }
      return .object(members)
    }
  }
}

@Suite struct `The fingerprint of a JSON value` {
  private static func fingerprint(_ text: String, maxDepth: Int = 8) -> UInt64? {
    JSONFingerprint.value(of: Array(text.utf8), maxDepth: maxDepth)
  }

  @Test(arguments: Seed.seeds(count: 2_000))
  func `depends on the value only`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let value = Value.random(&random)
    let (first, second) = (value.written(&random), value.written(&random))
    let found = try #require(Self.fingerprint(first), "\(first)")
    #expect(Self.fingerprint(second) == found, "seed \(seed): \(first) and \(second)")
    let other = value.changed(&random).written(&random)
    #expect(Self.fingerprint(other) != found, "seed \(seed): \(first) and \(other)")
  }

  @Test(arguments: [
    ("[1,2]", "[2,1]"), ("[[1],2]", "[[1,2]]"), ("[]", "{}"), ("[[],[]]", "[[[]]]"),
    (#"{"a":{"b":1}}"#, #"{"b":{"a":1}}"#), (#"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#),
    (#"{"a":1,"a":2}"#, #"{"a":2,"a":1}"#), ("null", #""null""#), ("1", #""1""#), ("1", "-1"),
  ])
  func `differs between values`(first: String, second: String) {
    #expect(Self.fingerprint(first) != nil && Self.fingerprint(second) != nil)
    #expect(Self.fingerprint(first) != Self.fingerprint(second))
  }

  @Test(arguments: ["", " ", "{", "[1,]", #"{"a"}"#, "1 2", "01", #""\ud800""#, "[[[]]]"])
  func `is nil for text that is no JSON or nested too deeply`(text: String) {
    #expect(Self.fingerprint(text, maxDepth: 2) == nil)
  }
}
