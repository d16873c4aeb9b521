import TreeDomain
import TreeEngine

/// A batch made from numbers: node 7 has the key `n7`.
struct SoakBatch {
  private(set) var batch = Batch(bytes: [], operations: [], nodes: [])

  mutating func insert(_ number: Int, under parent: Int) {
    let key = key(number)
    let object = object(length: number % 50)
    batch.nodes.append(
      NewNode(key: key.range, object: object.range, depth: 0, childState: .leaf)
    )
    let nodes = PackedRange(offset: batch.nodes.count - 1, count: 1)
    let parent = self.key(parent)
    batch.operations.append(.insert(nodes: nodes, parent: parent, section: nil, place: .default))
  }

  mutating func remove(_ number: Int) { batch.operations.append(.remove(key: key(number))) }

  mutating func move(_ number: Int, under parent: Int) {
    let (key, parent) = (key(number), key(parent))
    batch.keys.append(key)
    let keys = PackedRange(offset: batch.keys.count - 1, count: 1)
    batch.operations.append(.move(keys: keys, parent: parent, section: nil, place: .first))
  }

  mutating func update(_ number: Int, length: Int) {
    batch.operations.append(.update(key: key(number), .replace(object(length: length))))
  }

  mutating func toggle(_ number: Int) {
    batch.operations.append(.view(.toggle(key: key(number), .count(1))))
  }

  private mutating func key(_ number: Int) -> ByteSlice { append("n\(number)".utf8) }

  /// Returns a string of `length` letters as an object.
  private mutating func object(length: Int) -> ByteSlice {
    append([0x22] + [UInt8](repeating: 0x61, count: length) + [0x22])
  }

  private mutating func append(_ bytes: some Sequence<UInt8>) -> ByteSlice {
    let start = batch.bytes.count
    batch.bytes.append(contentsOf: bytes)
    return ByteSlice(start..<batch.bytes.count)
  }
}
