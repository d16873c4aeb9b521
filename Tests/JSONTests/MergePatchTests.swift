import JSON
import TestSupport
import Testing

@Suite struct MergePatchTests {
  /// The cases of RFC 7396 appendix A: target, patch, result.
  static let rfc: [(String, String, String)] = [
    ("{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"),
    ("{\"a\":\"b\"}", "{\"b\":\"c\"}", "{\"a\":\"b\",\"b\":\"c\"}"),
    ("{\"a\":\"b\"}", "{\"a\":null}", "{}"),
    ("{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}"),
    ("{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"),
    ("{\"a\":\"c\"}", "{\"a\":[\"b\"]}", "{\"a\":[\"b\"]}"),
    ("{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"),
    ("{\"a\":[{\"b\":\"c\"}]}", "{\"a\":[1]}", "{\"a\":[1]}"),
    ("[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"),
    ("{\"a\":\"b\"}", "[\"c\"]", "[\"c\"]"),
    ("{\"a\":\"foo\"}", "null", "null"),
    ("{\"a\":\"foo\"}", "\"bar\"", "\"bar\""),
    ("{\"e\":null}", "{\"a\":1}", "{\"e\":null,\"a\":1}"),
    ("[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}"),
    ("{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"),
  ]

  static let further: [(String, String, String)] = [
    ("{\"a\": 1.0 ,\"b\":1e400}", "{\"c\":0}", "{\"a\":1.0,\"b\":1e400,\"c\":0}"),
    ("{\"a\":[ 1, {\"x\": 2 } ]}", "{}", "{\"a\":[ 1, {\"x\": 2 } ]}"),
    ("{\"z\":1,\"a\":2}", "{\"a\":3,\"m\":4,\"b\":5}", "{\"z\":1,\"a\":3,\"m\":4,\"b\":5}"),
    ("{\"\\u0061\":1}", "{\"a\":2}", "{\"\\u0061\":2}"),
    ("{\"a\":1}", "{\"\\u0061\":null}", "{}"),
    ("{\"a\":1,\"b\":0,\"a\":{\"x\":1}}", "{\"a\":{\"y\":2}}", "{\"b\":0,\"a\":{\"x\":1,\"y\":2}}"),
    ("{\"a\":1,\"b\":0,\"a\":2}", "{\"a\":null}", "{\"b\":0}"),
    ("{\"a\":1,\"a\":2,\"b\":0}", "{\"b\":1}", "{\"a\":1,\"a\":2,\"b\":1}"),
    ("{}", "{\"a\":1,\"a\":null}", "{}"),
    ("{}", "{\"a\":null,\"b\":3,\"a\":2}", "{\"b\":3,\"a\":2}"),
    ("{\"a\":7}", "{\"a\":{\"b\":{\"c\":1,\"d\":null}}}", "{\"a\":{\"b\":{\"c\":1}}}"),
    (" null ", " 1 ", "1"), ("null", "{}", "{}"),
    (
      "{\"a\":{\"b\":{\"c\":1}}}", "{\"a\":{\"b\":{\"c\":[null]}}}",
      "{\"a\":{\"b\":{\"c\":[null]}}}"
    ),
  ]

  @Test(arguments: rfc + further) func `a patch changes only the members that it names`(
    _ target: String,
    _ patch: String,
    _ result: String
  ) throws {
    #expect(text(try MergePatch.apply(utf8(patch), to: utf8(target))) == result)
  }

  @Test func `a fault in the patch is reported before one in the target`() {
    #expect(throws: JSONError(.unexpectedByte, at: 5)) {
      try MergePatch.apply(utf8("{\"a\":}"), to: utf8("{"))
    }
    #expect(throws: JSONError(.trailingBytes, at: 3)) {
      try MergePatch.apply(utf8("{} x"), to: utf8("1"))
    }
  }

  @Test func `nesting up to the limit is merged, deeper nesting is refused`() throws {
    let nested = { (depth: Int, leaf: String) in
      utf8(String(repeating: "{\"a\":", count: depth) + leaf + String(repeating: "}", count: depth))
    }
    // Deeper than any stack.
    let depth = 500_000
    let merged = try MergePatch.apply(
      nested(depth, "{\"b\":2}"),
      to: nested(depth, "{\"c\":3}"),
      maxDepth: depth + 1
    )
    #expect(merged == nested(depth, "{\"c\":3,\"b\":2}"))
    #expect(throws: JSONError(.tooDeep(limit: 128), at: 640)) {
      try MergePatch.apply(nested(500, "1"), to: utf8("null"))
    }
  }

  @Test func `applying a patch twice, or a value to itself, changes nothing more`() throws {
    let seed = Seed.fromEnvironment()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Seed.iterations(default: 2_000) {
      let target = randomObject(depth: 3, nulls: false, &random)
      let patch = randomObject(depth: 3, nulls: true, &random)
      let once = try MergePatch.apply(utf8(patch), to: utf8(target))
      let twice = try MergePatch.apply(utf8(patch), to: once)
      let message = Comment(rawValue: "seed \(seed): \(target) with \(patch)")
      #expect(text(once) == text(twice), message)
      #expect(text(try MergePatch.apply(utf8(target), to: utf8(target))) == target, message)
    }
  }

  /// Returns an object of at most three members named a to c, without duplicates.
  private func randomObject(depth: Int, nulls: Bool, _ random: inout SeededGenerator) -> String {
    let members = ["a", "b", "c"].shuffled(using: &random).prefix(
      Int.random(in: 0...3, using: &random)
    )
    let parts = members.map { name in
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where nulls: "\"\(name)\":null"
      case 1 where depth > 0:
        "\"\(name)\":" + randomObject(depth: depth - 1, nulls: nulls, &random)
      default: "\"\(name)\":\(Int.random(in: 0..<100, using: &random))"
      }
    }
    return "{" + parts.joined(separator: ",") + "}"
  }
}
