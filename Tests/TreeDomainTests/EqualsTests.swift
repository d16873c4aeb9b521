import TestSupport
import Testing
import TreeDomain

/// Tests of the filter test `equals` with arrays and objects.
@Suite struct EqualsTests {
  private func filter(_ operand: String, isCaseSensitive: Bool = false) throws -> Filter {
    let subject = try #require(SortDescriptor.Subject(utf8("/v")))
    return .predicate(
      Predicate(by: subject, .equals(utf8(operand)), isCaseSensitive: isCaseSensitive)
    )
  }

  private func subject(_ value: String) -> SortOrder.Subject {
    SortOrder.Subject(key: utf8("k")[...], object: utf8("{\"v\":\(value)}")[...])
  }

  @Test(arguments: [false, true])
  func `random values are equal exactly if a naive filter says so`(isCaseSensitive: Bool) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var values = RandomValues(seed: seed)
    var equalCount = 0
    let count = 3_000
    for _ in 0..<count {
      let operand = values.value(levels: 3)
      let other = values.random.oneIn(2) ? operand : values.changed(operand)
      let (left, right) = (values.written(operand), values.written(other))
      let json = "{\"by\":\"/v\",\"equals\":\(left),\"caseSensitive\":\(isCaseSensitive)}"
      let expected = NaiveFilter(json: try RawJSON(parsing: json))
        .matches(key: "k", object: try RawJSON(parsing: "{\"v\":\(right)}"))
      let filter = try filter(left, isCaseSensitive: isCaseSensitive)
      #expect(filter.matches(subject(right)) == expected, "seed \(seed): \(left) and \(right)")
      if expected { equalCount += 1 }
    }
    #expect(count / 4 < equalCount && equalCount < count * 3 / 4)
  }

  @Test func `a deep value is compared without recursion and in one pass`() throws {
    let depth = 100_000
    for (start, end) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":1,\"b\":", "}]")] {
      func nested(_ inside: String) -> String {
        String(repeating: start, count: depth) + inside + String(repeating: end, count: depth)
      }
      let filter = try filter(nested("1"))
      #expect(filter.matches(subject(nested("1.0"))))
      #expect(!filter.matches(subject(nested("2"))))
    }
  }

  /// Operands, and values that differ from them at the beginning.
  static let early = [
    ("[]", "[1]"), ("{}", "{\"a\":1}"), ("[1]", "{\"a\":1}"), ("[1]", "\"[1]\""), ("null", "[1]"),
    ("true", "{\"a\":[]}"), ("[1]", "[ ]"), ("{\"a\":1}", "\n{ \n}"), ("true", "false"),
  ]

  @Test(arguments: early)
  func `values that differ at the beginning are not read`(operand: String, other: String) throws {
    let long = other.replacing("1", with: String(repeating: "1", count: 6_400))
    var steps = 0
    let filter = try filter(operand)
    #expect(!(try filter.matches(subject(long)) { steps += $0 }))
    #expect(steps <= 1 + (long.utf8.count + 8) / 64)
  }

  @Test func `reading a value is counted before it is done and may be stopped`() throws {
    let filter = try filter("[1]")
    let long = "[" + String(repeating: "1", count: 6_400) + "]"
    var steps = 0
    #expect(!(try filter.matches(subject(long)) { steps += $0 }))
    #expect(steps > 6_400 / 8)
    let error = refusal { () throws(ServiceError) in
      try filter.matches(subject(long)) { count throws(ServiceError) in
        if count >= 6_400 / 8 { throw ServiceError(.internalError, "stopped") }
      }
    }
    #expect(error?.code == .internalError)
  }

  @Test func `a long operand takes little memory beside its text`() throws {
    let operand = "[" + String(repeating: "1,", count: 30_000) + "1]"
    let bytes = try filter(operand).byteCount
    #expect(bytes >= operand.utf8.count && bytes < operand.utf8.count + 1_024)
  }
}

/// Random JSON values with few different parts, so that many are equal.
private struct RandomValues {
  indirect enum Value {
    /// A scalar, by the texts that are equal without case.
    case scalar([String])
    case array([Value])
    /// An object, by names and values.
    case object([(name: String, value: Value)])
  }

  private static let scalars = [
    ["null"], ["true"], ["false"], ["0", "-0.0", "0e9"], ["1", "1.0", "10e-1", "0.1E+1"],
    ["100", "1e2", "100.00"], ["-7", "-70e-1"], ["12345678", "1234567800e-2"], ["\"\"", "\"\""],
    ["\"a\"", "\"A\"", "\"\\u0061\""], ["\"É\"", "\"é\"", "\"\\u00e9\""], ["\"12345678\""],
    ["\"a long Text\"", "\"a long text\""], ["\"a long texu\""], ["\"1\""], ["\"\\u0000\""],
  ]
  private static let names = ["a", "b", "A", "", "\u{e9}", "long name 1", "long name 2"]

  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func value(levels: Int) -> Value {
    guard levels > 0, !random.oneIn(4) else { return .scalar(random.choice(Self.scalars)) }
    let count = random.number(in: 0...3)
    if random.oneIn(2) { return .array((0..<count).map { _ in value(levels: levels - 1) }) }
    let names = Self.names.shuffled(using: &random).prefix(count)
    return .object(names.map { ($0, value(levels: levels - 1)) })
  }

  /// Returns a value that differs from another in few parts.
  mutating func changed(_ value: Value) -> Value {
    switch value {
    case .array(var elements) where !elements.isEmpty && !random.oneIn(4):
      let place = random.number(in: 0...elements.count - 1)
      if random.oneIn(3) {
        elements.swapAt(0, place)
      } else {
        elements[place] = changed(elements[place])
      }
      return .array(elements)
    case .object(var members) where !members.isEmpty && !random.oneIn(4):
      let place = random.number(in: 0...members.count - 1)
      switch random.number(in: 0...3) {
      case 0: members.remove(at: place)
      case 1: (members[0].value, members[place].value) = (members[place].value, members[0].value)
      default: members[place].value = changed(members[place].value)
      }
      return .object(members)
    default: return self.value(levels: 1)
    }
  }

  /// Writes a value in one of its notations, with any order of members and with duplicates.
  mutating func written(_ value: Value) -> String {
    let space = random.oneIn(3) ? " \n" : ""
    switch value {
    case .scalar(let texts): return random.choice(texts) + space
    case .array(let elements):
      let parts = elements.map { written($0) }
      return "[\(space)\(parts.joined(separator: ",\(space)"))]"
    case .object(let members):
      var parts = members.map { member($0.name, $0.value) }.shuffled(using: &random)
      if let name = members.first?.name, random.oneIn(3) {
        parts.insert(member(name, self.value(levels: 1)), at: 0)
      }
      return "{\(space)\(parts.joined(separator: ",\(space)"))}"
    }
  }

  private mutating func member(_ name: String, _ value: Value) -> String {
    let name = random.oneIn(4) ? name.replacing("a", with: "\\u0061") : name
    return "\"\(name)\" : \(written(value))"
  }
}
