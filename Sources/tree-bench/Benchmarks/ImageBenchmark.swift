import TreeEngine

/// Writing and reading the image of a tree, per node.
enum ImageBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "image", smallSize: 1_000, largeSize: 1_000_000) { size in
      let sample = SampleTree(.tenfold, count: size, history: HistoryLimits())
      let pieces = imagePieces(of: sample.tree)
      let bytes = pieces.reduce(0) { $0 + $1.count }
      let written = Measurement("image written, a node", size: size, operations: size) {
        let pieces = imagePieces(of: sample.tree)
        return UInt64(pieces.reduce(0) { $0 + $1.count })
      }
      let read = Measurement("image read, a node", size: size, operations: size) {
        var reader = TreeImageReader<Fanout<64>>(maxDepth: .max, history: HistoryLimits())
        do throws(ImageError) {
          for piece in pieces { try reader.feed(piece[...]) }
          let tree = try reader.finish()
          return UInt64(tree.nodeCount)
        } catch {
          preconditionFailure("an image is damaged")
        }
      }
      let length = Measurement(
        label: "image, a node",
        size: size,
        value: Double(bytes) / Double(size),
        unit: .bytes,
        checksum: UInt64(bytes)
      )
      return [written, read, length]
    }
  }

  /// Returns the image of a tree, in pieces of at least a mebibyte.
  private static func imagePieces(of tree: borrowing Tree<64>) -> [[UInt8]] {
    var image = tree.image()
    var pieces: [[UInt8]] = []
    while case let piece = image.next(atLeast: 1 << 20), !piece.isEmpty { pieces.append(piece) }
    return pieces
  }
}
