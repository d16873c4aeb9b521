/// Random objects, sort descriptors, filters and merge patches whose comparison the contract
/// defines.
///
/// `/t` is a text without significant digits, `/f` a lowercase name with a number, `/n` a number or
/// its text, and `/m` any value. Descriptors use only comparisons that fit their member.
enum RandomObjects {
  private static let texts = ["apple", "Apple", "Banana", "banana", "cherry", "", "Zebra"]
  private static let names = ["file1", "file2", "file10", "x9y1", "x10y1", "file"]
  private static let numbers = [
    "1", "1.0", "2.5e1", "-7", "0.001", "1e400", "12345678901234567890", "\"12\"",
  ]
  private static let mixed = [
    "null", "false", "true", "1.0", "1e400", "-3", "\"B\"", "\"b\"", "\"é\"", "\"\\u00e9\"",
    "\"\u{1F600}\"", "\"\u{FFFD}\"", "[1, 2]", "{\"x\" : 1}",
  ]
  private static let odd = [
    "null", "false", "true", "0", "-0", "1.0", "1", "1e400", "12345678901234567890", "\"text\"",
    "\"caf\\u00e9\"", "\"café\"", "\"\\ud83d\\ude00\"", "[]", "[1, [2, {}]]", "{}", "{ }",
    "{\"t\":\"x\",\"t\":\"apple\"}", "{\"deep\":{\"er\":[{\"x\":[null]}]}}",
  ]
  private static let patches = [
    "{}", "{\"n\":null}", "{\"p\":{\"x\":null,\"y\":1}}", "{\"t\":\"Banana\"}", "{\"n\":-7}",
    "{\"m\":\"b\",\"t\":null}", "{\"a/b\":\"q\"}", "{\"p\":{\"x\":2}}", "5", "null", "[1]",
    "{\"new\":{\"kept\":1,\"gone\":null}}",
  ]

  static func object(_ random: inout SeededGenerator) -> RawJSON {
    parsed(random.oneIn(4) ? random.choice(odd) : composed(&random))
  }

  static func patch(_ random: inout SeededGenerator) -> RawJSON {
    parsed(random.choice(patches))
  }

  static func sort(_ random: inout SeededGenerator) -> [ModelSort] {
    let choices = [
      ModelSort(by: "/m"), ModelSort(by: ""), ModelSort(by: "#key"), ModelSort(by: "/p/x"),
      ModelSort(by: "/a~1b"), ModelSort(by: "/t", compare: .text),
      ModelSort(by: "/t", compare: .caseInsensitive), ModelSort(by: "/f", compare: .natural),
      ModelSort(by: "#key", compare: .natural), ModelSort(by: "/n", compare: .number),
    ]
    return (0..<random.number(in: 1...2)).map { _ in
      var descriptor = random.choice(choices)
      descriptor.descending = random.oneIn(3)
      return descriptor
    }
  }

  static func filter(_ random: inout SeededGenerator, levels: Int = 2) -> ModelFilter {
    guard levels > 0, random.oneIn(3) else { return predicate(&random) }
    let parts = (0..<random.number(in: 0...3)).map { _ in filter(&random, levels: levels - 1) }
    return switch random.number(in: 0...2) {
    case 0: .all(parts)
    case 1: .any(parts)
    default: .not(filter(&random, levels: levels - 1))
    }
  }

  private static func predicate(_ random: inout SeededGenerator) -> ModelFilter {
    let choices: [(String, ModelFilter.Test, [String])] = [
      ("/t", .contains, ["a", "AN", "app", "", "z"]), ("/t", .startsWith, ["b", "App"]),
      ("/t", .matches, ["*an*", "?pple", "[a-c]*", "[!ab]*", "apple", "*", "b\\\\*"]),
      ("/t", .equals, ["apple", "Banana"]), ("/t", .above, ["b", "Banana"]),
      ("/t", .below, ["b", "Zebra"]), ("#key", .contains, ["k1", "2", "é", "/"]),
      ("#key", .matches, ["k?", "k1*"]), ("/f", .contains, ["1"]),
    ]
    let exact: [(String, ModelFilter.Test, [String])] = [
      ("/n", .equals, ["1", "1.00", "25", "1e400", "null"]), ("/n", .above, ["0", "1", "1e399"]),
      ("/n", .below, ["1.0", "0.01"]), ("/m", .equals, ["null", "true", "[1,2]", "{\"x\":1}"]),
      ("", .equals, ["null", "{}", "[]", "{\"t\":\"apple\"}"]),
    ]
    let isText = random.oneIn(2)
    let (by, test, operands) = random.choice(isText ? choices : exact)
    let operand = random.choice(operands)
    let text = isText ? "\"\(operand)\"" : operand
    return .value(by: by, test, operand: text, caseSensitive: random.oneIn(3))
  }

  private static func composed(_ random: inout SeededGenerator) -> String {
    var members: [String] = []
    if !random.oneIn(3) { members.append("\"t\":\"\(random.choice(texts))\"") }
    if !random.oneIn(3) { members.append("\"n\":\(random.choice(numbers))") }
    if random.oneIn(2) { members.append("\"f\": \"\(random.choice(names))\"") }
    if random.oneIn(2) { members.append("\"m\":\(random.choice(mixed))") }
    if random.oneIn(4) { members.append("\"p\":{\"x\":\(random.choice(numbers))}") }
    if random.oneIn(4) { members.append("\"a/b\":\"\(random.choice(texts))\"") }
    return random.oneIn(2)
      ? "{\(members.joined(separator: ","))}" : "{ \(members.joined(separator: " ,\n ")) }"
  }

  private static func parsed(_ text: String) -> RawJSON {
    guard let json = try? RawJSON(parsing: text) else {
      preconditionFailure("the pool holds \(text), which is not JSON")
    }
    return json
  }
}
