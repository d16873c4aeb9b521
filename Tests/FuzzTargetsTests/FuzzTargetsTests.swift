import FuzzTargets
import TestSupport
import Testing

/// Runs the laws of the fuzzer with seeded inputs, so that they are tested without a fuzzer.
@Suite struct `The laws of the fuzzer` {
  /// Bytes and words with a meaning to the targets.
  private static let words =
    [
      "\r\n", "\n", "\r", "\0", "\t", " ", ":", ";", ",", "%", "/", "?", "#", "=", "0", "1", "-",
      "{",
      "}", "[", "]", "\"", "\\", "\\u", "\\ud800", "e", ".", "true", "null", "é", "😀", "\u{7F}",
      "HTTP/1.1", "Host: ", "chunked", "Content-Length: ", "Transfer-Encoding: ", "\"key\":",
      "\"op\":", "children",
    ].map { Array($0.utf8) } + [[0x80], [0xC3], [0xED, 0xA0, 0x80], [0xFF]]

  @Test(arguments: FuzzTarget.allCases)
  func `hold for the corpus and its prefixes`(target: FuzzTarget) throws {
    for input in target.corpus {
      try target.check(input)
      for count in input.indices { try target.check(Array(input.prefix(count))) }
    }
  }

  @Test(arguments: FuzzTarget.allCases)
  func `hold for mutations of the corpus`(target: FuzzTarget) {
    let seed = Seed.fromEnvironment()
    var random = SeededGenerator(seed: seed)
    for iteration in 0..<Seed.iterations(default: 2_000) {
      var input = random.choice(target.corpus)
      if random.oneIn(4) { input = Self.splice(input, random.choice(target.corpus), &random) }
      for _ in 0..<random.number(in: 1...4) { Self.mutate(&input, &random) }
      do {
        try target.check(input)
      } catch {
        let text = String(decoding: input, as: UTF8.self)
        Issue.record("seed \(seed), iteration \(iteration): \(error)\n\(text)\n\(input)")
        return
      }
    }
  }

  private static func splice(
    _ first: [UInt8],
    _ second: [UInt8],
    _ random: inout SeededGenerator
  ) -> [UInt8] {
    let end = random.number(in: 0...first.count)
    let start = random.number(in: 0...second.count)
    return Array(first[..<end] + second[start...])
  }

  private static func mutate(_ input: inout [UInt8], _ random: inout SeededGenerator) {
    let place = random.number(in: 0...input.count)
    let end = min(input.count, place + random.number(in: 0...3))
    let word = random.oneIn(4) ? [UInt8.random(in: 0...255, using: &random)] : random.choice(words)
    switch random.number(in: 0...3) {
    case 0: input.removeSubrange(place..<end)
    case 1: input.replaceSubrange(place..<end, with: word)
    case 2: input.insert(contentsOf: input[place..<end], at: random.number(in: 0...input.count))
    default: input.insert(contentsOf: word, at: place)
    }
  }
}
