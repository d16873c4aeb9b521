import TestSupport

@testable import TreeEngine

extension SizedTree {
  /// Returns the bytes of the image, read in pieces of random size.
  func imageBytes(inPiecesFrom random: inout SeededGenerator) -> [UInt8] {
    var image = image()
    var bytes: [UInt8] = []
    while case let piece = image.next(atLeast: random.number(in: 1...60_000)), !piece.isEmpty {
      bytes += piece
    }
    return bytes
  }

  /// Makes a tree of the bytes of an image, fed in pieces of random size.
  init(
    _ bytes: [UInt8],
    inPiecesFrom random: inout SeededGenerator,
    _ limits: HistoryLimits
  ) throws(ImageError) {
    var reader = TreeImageReader<Width>(history: limits)
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(random.oneIn(2) ? 1 : random.number(in: 1...2_000))
      rest = rest.dropFirst(piece.count)
      try reader.feed(piece)
    }
    self = try reader.finish()
  }
}
