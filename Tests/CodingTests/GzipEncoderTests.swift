import Coding
import TestSupport
import Testing

@Suite struct GzipEncoderTests {
  /// Decodes consecutive pieces of a stream, of which the last one ends the content.
  ///
  /// Returns nil if they are not valid.
  private func read(_ pieces: [[UInt8]]) -> [[UInt8]]? {
    var inflater = Inflater()
    var found: [[UInt8]] = []
    for piece in pieces {
      guard !inflater.isComplete, let bytes = inflater.read(piece) else { return nil }
      found.append(bytes)
    }
    return inflater.isComplete ? found : nil
  }

  private func bytes(_ count: Int, _ symbols: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    (0..<count).map { _ in UInt8(Int.random(in: 0..<symbols, using: &generator)) }
  }

  @Test(arguments: [1, 2, 10, 256], [0, 1, 2, 1_023, 1_024, 65_535, 65_536, 300_000])
  func `encoded content is decoded unchanged`(symbols: Int, count: Int) {
    var generator = SeededGenerator(seed: UInt64(symbols * 1_000_000 + count))
    let content = bytes(count, symbols, &generator)
    for level in [1, 6, 9] {
      var encoder = GzipEncoder(level: level)
      // Encoded twice with one encoder, to detect state left from the first time.
      let before = encoder.encode(content)
      let coded = encoder.encode(content)
      #expect(before == coded)
      #expect(read([coded]) == [content], "level \(level)")
      #expect(coded.count <= count + count / 1_000 + 64)
    }
  }

  @Test func `each piece of interleaved streams can be decoded at once`() {
    let seed = Seed.fromEnvironment()
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var encoder = GzipEncoder(level: Int.random(in: 1...9, using: &generator))
      let contents = (0..<3).map { _ in
        (0..<Int.random(in: 0..<12, using: &generator)).map { _ in
          let count = Int.random(in: 0..<3_000, using: &generator)
          return bytes(count, Int.random(in: 1...256, using: &generator), &generator)
        }
      }
      var streams = contents.map { _ in GzipStream() }
      var coded: [[[UInt8]]] = contents.map { _ in [] }
      for turn in 0..<12 {
        for (index, pieces) in contents.enumerated() where turn < pieces.count {
          coded[index].append(encoder.encode(pieces[turn], of: &streams[index], isLast: false))
        }
      }
      for (index, pieces) in contents.enumerated() {
        let end = encoder.encode([], of: &streams[index], isLast: true)
        #expect(read(coded[index] + [end]) == pieces + [[]], "seed \(seed)")
      }
    }
  }

  @Test func `similar events are small after the first`() {
    var encoder = GzipEncoder(level: 1)
    var stream = GzipStream()
    let counts = (100..<110).map { number in
      let event =
        "event: changes\nid: \(number)\ndata: {\"session\":\"s_1\",\"revision\":\(number)}\n\n"
      return encoder.encode(Array(event.utf8), of: &stream, isLast: false).count
    }
    #expect(counts.dropFirst().allSatisfy { $0 * 3 < counts[0] }, "\(counts)")
  }
}
