import Testing

@testable import TreeEngine

/// Tests that an image comes in pieces of bounded size, whatever the size of objects.
struct ImagePieceTests {
  @Test func `a piece contains at most one long object`() throws {
    var tree = Tree<64>()
    tree.begin()
    for number in 0..<200 {
      let key = Array("k\(number)".utf8)
      let bytes = key + [UInt8](repeating: 7, count: 100_000)
      let object = key.count..<bytes.count
      let new = NewNode(key: 0..<key.count, object: object, depth: 0, childState: .leaf)
      try tree.insert([new], bytes: bytes, under: .forestRoot, at: number)
    }
    tree.commit()
    var image = tree.image()
    var count = 0
    while true {
      let piece = image.next(atLeast: 1_000)
      guard !piece.isEmpty else { break }
      #expect(piece.count < 120_000)
      count += 1
    }
    #expect(count >= 200)
  }
}
