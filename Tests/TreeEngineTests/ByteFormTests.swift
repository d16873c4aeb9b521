import TestSupport
import Testing

@testable import TreeEngine

/// Tests that numbers and strings are read back as written and that nothing is read beyond the end.
struct ByteFormTests {
  private static let edges: [UInt64] = [0, 1, 127, 128, 16_383, 16_384, 1 << 62, 1 << 63, .max]

  @Test func `a reader returns what was written`() throws {
    var writer = ByteWriter()
    for number in Self.edges {
      writer.append(number: number)
      writer.append(fixed: number)
      writer.append(signed: Int(truncatingIfNeeded: number))
    }
    writer.append(string: [1, 2, 3])
    writer.append(true)
    var reader = ByteReader(writer.bytes[...])
    for number in Self.edges {
      #expect(try reader.number() == number)
      #expect(try reader.fixed(UInt64.self) == number)
      #expect(try reader.signed() == Int(truncatingIfNeeded: number))
    }
    #expect(try reader.string() == [1, 2, 3])
    #expect(try reader.bool())
    #expect(reader.isAtEnd)
    #expect(throws: ImageError.damaged) { try reader.byte() }
  }

  @Test func `numbers not in shortest form and strings that are too long are refused`() {
    let wrong: [[UInt8]] = [
      [0x80], [0x80, 0], [0xFF, 0x80, 0], Array(repeating: 0xFF, count: 10),
      Array(repeating: 0x80, count: 10) + [1],
    ]
    for bytes in wrong {
      var reader = ByteReader(bytes[...])
      #expect(throws: ImageError.damaged) { try reader.number() }
    }
    var reader = ByteReader([3, 1, 2])
    #expect(throws: ImageError.damaged) { try reader.string() }
    reader = ByteReader(Array(repeating: 0xFF, count: 9) + [1])
    #expect(throws: ImageError.damaged) { try reader.count() }
  }

  @Test func `frames are reassembled from single bytes`() throws {
    var writer = ByteWriter()
    for length in [0, 1, 300] { writer.appendFrame { $0.append(raw: bytes(length)[...]) } }
    var frames = FrameReader()
    var found: [[UInt8]] = []
    for byte in writer.bytes {
      frames.append([byte])
      while var frame = frames.next() { found.append(Array(try frame.raw(frame.remaining))) }
    }
    #expect(found == [0, 1, 300].map(bytes))
    #expect(frames.isEmpty)
  }

  private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 & 0xFF) } }

  @Test func `digests differ for different objects and depend on nothing but the seed`() throws {
    let seed = ObjectDigest.Seed()
    let again = try #require(ObjectDigest.Seed(first: seed.first, second: seed.second))
    var objects: [[UInt8]] = (0..<40).map { Array(repeating: 0, count: $0) }
    objects += (0..<40).map { Array(repeating: 0xFF, count: $0 + 1) }
    for (place, object) in objects.enumerated() {
      for (other, another) in objects.enumerated() {
        let isSame = ObjectDigest(object[...], seed) == ObjectDigest(another[...], again)
        #expect(isSame == (place == other))
      }
    }
    let foreign = ObjectDigest(objects[5][...], ObjectDigest.Seed())
    #expect(foreign != ObjectDigest(objects[5][...], seed))
  }
}
