import TestSupport
import Testing
import TreeDomain

@Suite struct FilterTests {
  private func filter(_ json: String) throws -> Filter {
    let patch = try SessionPatch.decode(body: utf8("{\"filter\":\(json)}"))
    guard case .set(let filter)? = patch.filter else {
      throw ServiceError(.internalError, "there is a filter")
    }
    return filter
  }

  private func subject(_ key: String, _ object: String) -> SortOrder.Subject {
    SortOrder.Subject(key: utf8(key)[...], object: utf8(object)[...])
  }

  static let values = [
    "null", "true", "false", "0", "-0.0", "1", "1.0", "10e-1", "1e2", "-7", "\"\"", "\"a\"",
    "\"A\"", "\"aB\"", "\"\\u0061b\"", "\"b\"", "\"1\"", "\"É\"", "\"é\"", "\"ab*\"",
    "\"\u{212A}\"",
    "\"k\"", "\"z\\n\"", "[]", "[1]", "[1.0]", "[\"A\"]", "[\"a\"]", "{}", "{\"x\":1,\"y\":[2]}",
    "{\"y\":[2.0],\"x\":1e0}", "{\"x\":2,\"x\":1,\"y\":[2]}", "[[],{}]", "[{},[]]",
  ]

  @Test(arguments: [false, true]) func `every test of every value agrees with a naive filter`(
    _ isCaseSensitive: Bool
  ) throws {
    for sought in Self.values {
      let isText = sought.hasPrefix("\"")
      let isNumber = Double(sought) != nil
      let tests =
        (isText ? ["contains", "startsWith", "matches"] : [])
        + (isText || isNumber ? ["above", "below"] : []) + ["equals"]
      for test in tests {
        let json = #"{"by":"/v","\#(test)":\#(sought),"caseSensitive":\#(isCaseSensitive)}"#
        let (filter, naive) = (try filter(json), NaiveFilter(json: try RawJSON(parsing: json)))
        for value in Self.values {
          let object = "{\"u\":\(value),\"v\":\(value)}"
          let expected = naive.matches(key: "k", object: try RawJSON(parsing: object))
          #expect(filter.matches(subject("k", object)) == expected, "\(json) \(value)")
        }
        #expect(!filter.matches(subject("k", "{\"w\":1}")))
        #expect(!filter.matches(subject("k", "null")))
      }
    }
  }

  @Test func `all short texts are found in exactly the texts that contain them`() throws {
    var texts = [""]
    for length in 0..<7 {
      texts += texts.filter { $0.utf8.count == length }.flatMap { [$0 + "a", $0 + "B"] }
    }
    for sought in texts where sought.utf8.count < 6 {
      let folding = try filter(##"{"by":"#key","contains":"\##(sought.lowercased())"}"##)
      let exact = try filter(##"{"by":"#key","contains":"\##(sought)","caseSensitive":true}"##)
      let wrong = texts.filter { text in
        let isThere = sought.isEmpty || text.contains(sought)
        let text = subject(text, "null")
        return folding.matches(text) != isThere || exact.matches(text) != isThere
      }
      #expect(wrong.isEmpty, "\(sought)")
    }
  }

  @Test func `all short patterns match the same short texts as a naive matcher`() throws {
    let letters = ["a", "b", "*", "?", "[", "]", "!", "-", "\\"]
    var patterns = [""]
    for _ in 0..<3 { patterns += patterns.flatMap { start in letters.map { start + $0 } } }
    let texts = ["", "a", "b", "-", "[", "]", "\\", "!", "ab", "ba", "a-", "[a", "a]", "aba", "*?"]
    for pattern in Set(patterns) {
      let written = String(decoding: JSONText.string(pattern), as: UTF8.self)
      let json = "{\"by\":\"#key\",\"matches\":\(written)}"
      let (filter, naive) = (try filter(json), NaiveFilter(json: try RawJSON(parsing: json)))
      for text in texts {
        let expected = naive.matches(key: text, object: .null)
        #expect(filter.matches(subject(text, "null")) == expected, "\(pattern) \(text)")
      }
    }
  }

  static let globs: [(String, String, Bool)] = [
    ("*.swift", "Main.SWIFT", true), ("*.swift", "main.swiftc", false), ("a*b*c", "aXbYbZc", true),
    ("a*b*c", "aXcYb", false), ("[a-c]?[!0-9]", "bxx", true), ("[a-c]?[!0-9]", "bx7", false),
    ("[]-]", "]", true), ("[]-]", "-", true), ("[]-]", "a", false), ("?", "é", true),
    ("?", "e\u{301}", false), ("\\*", "*", true), ("\\*", "a", false), ("[\\]]", "]", true),
    ("[z-a]", "m", false), ("[!z-a]", "m", true), ("*", "", true), ("", "", true), ("", "a", false),
    ("[A-Z]", "q", true),
  ]

  @Test(arguments: globs) func `patterns match whole texts`(
    _ pattern: String,
    _ text: String,
    _ expected: Bool
  ) throws {
    let written = String(decoding: JSONText.string(pattern), as: UTF8.self)
    let filter = try filter("{\"by\":\"#key\",\"matches\":\(written)}")
    #expect(filter.matches(subject(text, "null")) == expected)
  }

  @Test func `a pattern with many runs is matched in acceptable time`() throws {
    let pattern = String(repeating: "a*", count: 500) + "b"
    let filter = try filter("{\"by\":\"#key\",\"matches\":\"\(pattern)\"}")
    #expect(!filter.matches(subject(String(repeating: "a", count: 5_000), "null")))
  }

  static let combined: [(String, Bool)] = [
    (#"{"all":[]}"#, true), (#"{"any":[]}"#, false), (#"{"not":{"any":[]}}"#, true),
    (#"{"not":{"by":"/none","equals":null}}"#, true), (#"{"by":"/n","equals":null}"#, true),
    (#"{"by":"/none","equals":null}"#, false), (#"{"by":"","equals":{"n":null,"t":"X"}}"#, true),
    (##"{"all":[{"by":"/t","contains":"x"},{"by":"#key","startsWith":"K"}]}"##, true),
    (##"{"all":[{"by":"/t","contains":"x"},{"by":"#key","startsWith":"z"}]}"##, false),
    (##"{"any":[{"by":"/t","contains":"z"},{"by":"#key","startsWith":"K"}]}"##, true),
    (##"{"by":"#key","equals":"key","caseSensitive":true}"##, true),
    (##"{"by":"#key","equals":"KEY","caseSensitive":true}"##, false),
  ]

  @Test(arguments: combined) func `predicates are combined`(
    _ json: String,
    _ expected: Bool
  ) throws {
    #expect(try filter(json).matches(subject("key", #"{"t":"X","n":null}"#)) == expected)
  }

  @Test func `a filter is written with its defaults and read back unchanged`() throws {
    let json =
      ##"{"all":[{"by":"/a~1b","equals":{"x": 1}},{"any":[{"by":"#key","above":"a"},"##
      + ##"{"by":"","below":-1e2}]},{"not":{"by":"/t","matches":"a\\*","caseSensitive":true}},"##
      + ##"{"by":"/t","startsWith":"\u0061"}]}"##
    let filter = try filter(json)
    let text = written(filter.write)
    #expect(
      text
        == ##"{"all":[{"by":"/a~1b","equals":{"x": 1},"caseSensitive":false},{"any":["##
        + ##"{"by":"#key","above":"a","caseSensitive":false},"##
        + ##"{"by":"","below":-1e2,"caseSensitive":false}]},"##
        + ##"{"not":{"by":"/t","matches":"a\\*","caseSensitive":true}},"##
        + ##"{"by":"/t","startsWith":"a","caseSensitive":false}]}"##
    )
    #expect(try self.filter(text) == filter)
  }

  static let refused: [(String, String)] = [
    ("1", ""), ("[]", ""), ("{}", ""), (#"{"by":"/t"}"#, ""), (#"{"equals":1}"#, ""),
    (#"{"by":"t","equals":1}"#, "/by"), (#"{"by":"/t","equals":1,"above":1}"#, "/above"),
    (#"{"by":"/t","contains":1}"#, "/contains"), (#"{"by":"/t","above":null}"#, "/above"),
    (#"{"by":"/t","below":[]}"#, "/below"), (#"{"by":"/t","is":1}"#, "/is"),
    (#"{"by":"/t","equals":1,"caseSensitive":0}"#, "/caseSensitive"),
    (#"{"all":{}}"#, "/all"), (#"{"not":null}"#, "/not"), (#"{"all":[],"by":"/t"}"#, ""),
    (#"{"all":[],"any":[]}"#, "/any"), (#"{"any":[{"by":"/t","equals":1},{}]}"#, "/any/1"),
    (#"{"any":[{"all":[{"by":1}]}]}"#, "/any/0/all/0/by"),
  ]

  @Test(arguments: refused) func `an invalid filter is refused with a pointer`(
    _ json: String,
    _ pointer: String
  ) throws {
    let error = try #require(refusal { () throws(ServiceError) in try decoded(json) })
    #expect(error.code == .invalidRequest)
    #expect(error.pointer == "/filter" + pointer)
  }

  private func decoded(_ json: String) throws(ServiceError) -> SessionPatch {
    try SessionPatch.decode(body: utf8("{\"filter\":\(json)}"))
  }

  @Test func `every limit is enforced`() {
    func isRefused(_ json: String) -> Bool {
      refusal { () throws(ServiceError) in try decoded(json) }?.code == .invalidRequest
    }
    func nested(_ depth: Int) -> String {
      String(repeating: "{\"not\":", count: depth) + "{\"all\":[]}"
        + String(repeating: "}", count: depth)
    }
    #expect(!isRefused(nested(Filter.maxNesting - 1)))
    #expect(isRefused(nested(Filter.maxNesting)))
    for part in ["{\"by\":\"\",\"equals\":1}", "{\"any\":[]}"] {
      func list(_ count: Int) -> String {
        "{\"all\":[\(repeatElement(part, count: count).joined(separator: ","))]}"
      }
      #expect(!isRefused(list(Filter.maxPredicates)))
      #expect(isRefused(list(Filter.maxPredicates + 1)))
    }
    func long(_ count: Int) -> String {
      "{\"by\":\"\",\"contains\":\"\(String(repeating: "x", count: count))\"}"
    }
    #expect(!isRefused(long(Filter.maxTextBytes)))
    #expect(isRefused(long(Filter.maxTextBytes + 1)))
  }

  static let searches: [(String, String?, Bool)] = [
    ("KEY", nil, true), ("straße", nil, true), ("deep", nil, true), ("name", nil, false),
    ("12", nil, false), ("12", "/n", true), ("12", "/n/x", false), ("key", "/t", false),
    ("STRASS", "/t", false), ("STRAß", "/t", true), ("ke", "#key", true), ("t", "#key", false),
    ("\n", nil, true), ("x", "", false),
  ]

  @Test(arguments: searches) func `a search ignores case`(
    _ query: String,
    _ by: String?,
    _ expected: Bool
  ) throws {
    let object = #"{"t":"Straße","n":12.5,"name":[{"name":"DEEP\n"}]}"#
    let subject = by.map(utf8).flatMap { SortDescriptor.Subject($0) }
    let search = Search(utf8(query), by: subject)
    #expect(try search.matches(self.subject("key", object)) { _ in } == expected)
  }
}
