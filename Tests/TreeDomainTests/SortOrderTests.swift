import JSON
import TestSupport
import Testing
import TreeDomain

@Suite struct SortOrderTests {
  /// Lines of equal values in ascending order; `nil` means absent.
  static let automatic: [[String?]] = [
    [nil, "null"], ["false"], ["true"], ["-1e400"], ["-1"], ["0", "-0", "0.0"], ["1", "1.0"],
    ["12345678901234567890"], ["12345678901234567891"], ["1e400"], ["1e401"], ["\"\""],
    ["\"10\""], ["\"2\""], ["\"B\""], ["\"a\"", "\"\\u0061\""], ["\"ab\""], ["\"b\""],
    ["\"é\"", "\"\\u00e9\""], ["\"\u{FFFF}\""], ["\"😀\"", "\"\\ud83d\\ude00\""],
    ["[]", "{}", "[1]", "{\"a\":1}"],
  ]

  static let caseInsensitive: [[String?]] = [
    ["null"], ["7"], ["\"10\""], ["\"2\""], ["\"A\"", "\"a\""], ["\"B\"", "\"b\""],
    ["\"BÄ\"", "\"bä\""], ["\"É\"", "\"é\""], ["\"ДА\"", "\"да\""], ["[]"],
  ]

  static let natural: [[String?]] = [
    ["null"], ["1"], ["\"\""], ["\"1\"", "\"01\""], ["\"2\""], ["\"10\"", "\"010\""],
    ["\"99999999999999999999999\""], ["\"100000000000000000000000\""], ["\"A1\""], ["\"a\""],
    ["\"a0\"", "\"a00\""], ["\"a1\"", "\"a01\""], ["\"a1b2\"", "\"a01b2\""], ["\"a1b10\""],
    ["\"a2\""], ["\"a10\""], ["\"a10b\""], ["\"ab\""], ["{}"],
  ]

  static let number: [[String?]] = [
    ["null"], ["false"], ["\"-1e3\""], ["-2"], ["\"-1\"", "-1.0"], ["0", "\"-0\""], ["\"2\"", "2"],
    ["10", "\"1e1\""], ["\"1e400\""], ["\"\""], ["\" 3\""], ["\"+4\""], ["\"01\""], ["\"x\""],
    ["[]"],
  ]

  @Test(arguments: [
    (automatic, SortDescriptor.Comparison.auto), (automatic, .text),
    (caseInsensitive, .caseInsensitive), (natural, .natural), (number, .number),
  ])
  func `values of all kinds are sorted in both directions`(
    _ ascending: [[String?]],
    _ comparison: SortDescriptor.Comparison
  ) throws {
    let pointer = try #require(JSONPointer(utf8("/v")))
    for (direction, sign) in [(SortDescriptor.Direction.ascending, 1), (.descending, -1)] {
      let order = SortOrder([SortDescriptor(by: .value(pointer), direction, compare: comparison)])
      for (i, left) in ascending.enumerated() {
        for (j, right) in ascending.enumerated() {
          for (a, b) in left.flatMap({ a in right.map { (a, $0) } }) {
            let expected = (i - j).signum() * sign
            let found = compare(subject("k", holding: a), subject("l", holding: b), by: order)
            #expect(found == expected, "\(a ?? "-") against \(b ?? "-"), \(direction)")
          }
        }
      }
    }
  }

  @Test(arguments: [
    (automatic, SortDescriptor.Comparison.auto), (automatic, .text),
    (caseInsensitive, .caseInsensitive), (natural, .natural), (number, .number),
  ])
  func `many keys are sorted as they compare, stably`(
    _ values: [[String?]],
    _ comparison: SortDescriptor.Comparison
  ) throws {
    let pointer = try #require(JSONPointer(utf8("/v")))
    for seed in Seed.seeds(count: 20) {
      var random = SeededGenerator(seed: seed)
      let shuffled = (values + values).flatMap(\.self).shuffled(using: &random)
      for direction in SortDescriptor.Direction.allCases {
        let order = SortOrder([SortDescriptor(by: .value(pointer), direction, compare: comparison)])
        let subjects = shuffled.map { subject("k", holding: $0) }
        let keys = subjects.map { order.key(of: $0) }
        // The standard sort is stable.
        let expected = keys.indices.sorted { keys[$0] < keys[$1] }
        #expect(sorted(subjects, by: order) == expected, "\(direction), SEED=\(seed)")
      }
    }
  }

  @Test(arguments: Seed.seeds(count: 20))
  func `random texts compare naturally like a walk through both`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("00019a/:\u{0}é".utf8)
    let texts = (0..<60).map { _ in
      let places = (0..<random.number(in: 0...12)).map { _ in random.number(in: 0...10) }
      return places.map { letters[$0] }
    }
    let order = SortOrder([SortDescriptor(by: .key, compare: .natural)])
    let subjects = texts.map { SortOrder.Subject(key: $0[...], object: []) }
    for (left, a) in zip(texts, subjects) {
      for (right, b) in zip(texts, subjects) {
        let expected = NaturalWalk.compare(left, right)
        #expect(compare(a, b, by: order) == expected, "\(left), \(right), SEED=\(seed)")
      }
    }
    let expected = texts.indices.sorted { NaturalWalk.compare(texts[$0], texts[$1]) < 0 }
    #expect(sorted(subjects, by: order) == expected, "SEED=\(seed)")
  }

  @Test func `many keys with a common prefix are sorted stably`() {
    let prefix = String(repeating: "a\u{0}", count: 40)
    let subjects = (0..<2_000).map { number in
      SortOrder.Subject(key: utf8("\(prefix)\(number * 7_919 % 500)")[...], object: [])
    }
    let order = SortOrder([SortDescriptor(by: .key, .descending, compare: .natural)])
    let expected = subjects.indices.sorted { ($0 * 7_919 % 500) > ($1 * 7_919 % 500) }
    #expect(sorted(subjects, by: order) == expected)
  }

  private func compare(
    _ left: SortOrder.Subject,
    _ right: SortOrder.Subject,
    by order: SortOrder
  ) -> Int {
    let (left, right) = (order.key(of: left), order.key(of: right))
    return left == right ? 0 : left < right ? -1 : 1
  }

  private func sorted(_ subjects: [SortOrder.Subject], by order: SortOrder) -> [Int] {
    var keys = SortKeys(order, capacity: subjects.count)
    for subject in subjects { keys.append(subject) }
    do throws(ServiceError) {
      return try keys.sorted { _ in }
    } catch {
      preconditionFailure("counting threw nothing")
    }
  }

  private func subject(_ key: String, holding value: String?) -> SortOrder.Subject {
    let object = value.map { "{\"u\":0,\"v\":\($0)}" } ?? "{\"u\":0}"
    return SortOrder.Subject(key: utf8(key)[...], object: utf8(object)[...])
  }

  @Test func `keys are sorted, also as slices of a longer array`() {
    let arena = utf8("file10file9null")
    let ten = SortOrder.Subject(key: arena[0..<6], object: arena[11..<15])
    let nine = SortOrder.Subject(key: arena[6..<11], object: arena[11..<15])
    #expect(compare(ten, nine, by: SortOrder([SortDescriptor(by: .key)])) == -1)
    #expect(compare(ten, nine, by: SortOrder([SortDescriptor(by: .key, compare: .natural)])) == 1)
    #expect(compare(ten, nine, by: SortOrder([SortDescriptor(by: .key, .descending)])) == 1)
  }

  @Test func `the first criterion that distinguishes decides`() throws {
    let pointer = try #require(JSONPointer(utf8("/v")))
    let order = SortOrder([
      SortDescriptor(by: .value(pointer), .descending), SortDescriptor(by: .key),
    ])
    #expect(compare(subject("b", holding: "2"), subject("a", holding: "1"), by: order) == -1)
    #expect(compare(subject("b", holding: "1"), subject("a", holding: "1.0"), by: order) == 1)
    #expect(compare(subject("a", holding: "1"), subject("a", holding: "1"), by: order) == 0)
    let natural = SortOrder([
      SortDescriptor(by: .value(pointer), compare: .natural), SortDescriptor(by: .key),
    ])
    let (two, zeroTwo) = ("\"a2\"", "\"a02\"")
    #expect(compare(subject("b", holding: two), subject("a", holding: zeroTwo), by: natural) == 1)
    #expect(compare(subject("a", holding: zeroTwo), subject("b", holding: two), by: natural) == -1)
    let whole = SortOrder([SortDescriptor(by: .value(.whole))])
    let less = SortOrder.Subject(key: utf8("x")[...], object: utf8("1")[...])
    let more = SortOrder.Subject(key: utf8("y")[...], object: utf8("2")[...])
    #expect(compare(less, more, by: whole) == -1)
    #expect(compare(less, more, by: SortOrder([])) == 0)
  }
}
