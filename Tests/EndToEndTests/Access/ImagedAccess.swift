import Synchronization
import TestSupport
import TreeAPI
import TreeEngine

@testable import TreeSessions

/// A transport that recreates all trees from their images before every n-th request.
final class ImagedAccess: Access {
  private let store = SessionStore()
  private let access: RouterAccess
  private let period: Int
  private var count = 0
  private var random: SeededGenerator

  init(every period: Int, seed: UInt64) {
    self.period = period
    random = SeededGenerator(seed: seed)
    access = RouterAccess(api: TreeAPI(service: store))
  }

  func send(_ ask: Ask) throws -> Answer {
    count += 1
    if count % period == 0 { try store.restoreAll(inPiecesFrom: &random) }
    return try access.send(ask)
  }
}

extension SessionStore {
  /// Replaces all trees with copies made from their images.
  fileprivate func restoreAll(inPiecesFrom random: inout SeededGenerator) throws {
    let trees = core.table.withLock {
      $0.trees.entries.map(\.value) + $0.sessions.entries.map(\.value.tree)
    }
    for tree in trees {
      let image = try tree.withTree(.blocking) { ManagerImage(of: $0) }
      let bytes = image.bytes(inPiecesFrom: &random)
      let pieces = pieces(of: bytes, &random)
      try tree.withTree(.blocking) { manager in
        do throws(ImageError) {
          var reader = ManagerImageReader(limits: limits, usage: Usage())
          for piece in pieces { try reader.feed(piece) }
          manager = try reader.finish()
        } catch {
          preconditionFailure("an image was rejected: \(error)")
        }
      }
      let again = try tree.withTree(.blocking) { ManagerImage(of: $0) }
      precondition(again.bytes(inPiecesFrom: &random) == bytes, "a restored image differs")
    }
  }

  private func pieces(
    of bytes: [UInt8],
    _ random: inout SeededGenerator
  ) -> [ArraySlice<UInt8>] {
    var pieces: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      pieces.append(rest.prefix(random.number(in: 1...4_000)))
      rest = rest.dropFirst(pieces[pieces.count - 1].count)
    }
    return pieces
  }
}

extension ManagerImage {
  /// Returns the whole image, read in pieces of random sizes.
  fileprivate func bytes(inPiecesFrom random: inout SeededGenerator) -> [UInt8] {
    var image = self
    var bytes: [UInt8] = []
    while case let piece = image.next(atLeast: random.number(in: 1...60_000)), !piece.isEmpty {
      bytes += piece
    }
    return bytes
  }
}
