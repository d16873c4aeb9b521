import Testing
import TreeEngine

struct PackedRangeTests {
  @Test func `a packed range equals the original range, up to the longest body`() {
    let offsets = [0, 1, 7, (1 << 29) - 1, 1 << 29, (1 << 32) - 1, 1 << 32, (1 << 35) - 1]
    let counts = [0, 1, 512, 1 << 24, (1 << 29) - 1]
    for offset in offsets {
      for count in counts {
        let packed = PackedRange(offset..<(offset + count))
        #expect(packed.range == offset..<(offset + count))
        #expect(packed.offset == offset && packed.count == count)
        #expect(packed == PackedRange(offset: offset, count: count))
      }
    }
  }

  @Test func `a new node keeps its values and takes 28 bytes`() {
    var node = NewNode(key: 3..<9, object: 9..<9, depth: 5, childState: .unloaded, hint: 12)
    node.depth -= 1
    node.object = 20..<(20 + (1 << 24))
    #expect(node.key == 3..<9 && node.object == 20..<(20 + (1 << 24)) && node.depth == 4)
    #expect(node.childState == .unloaded && node.hint == 12)
    #expect(MemoryLayout<NewNode>.stride == 28)
  }
}
