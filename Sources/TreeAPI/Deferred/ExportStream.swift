import HTTP
import Synchronization
import TreeDomain

/// A tree as a stream of lines.
///
/// A piece is created only after the one before is sent, so that a slow client holds one piece.
final class ExportStream: LateAnswer {
  private let export: any TreeExport
  private let head: Response
  private let hasBegun = Mutex(false)

  /// Creates a stream of an export's pieces with a head.
  init(_ export: any TreeExport, _ head: Response) {
    self.export = export
    self.head = head
  }

  func start(_ waker: Waker) {}

  func next(now: Moment) -> LateStep {
    let isFirst = hasBegun.withLock { hasBegun in
      defer { hasBegun = true }
      return !hasBegun
    }
    guard !isFirst else { return .begin(head) }
    while let piece = export.next() {
      if !piece.isEmpty { return .chunk(piece) }
    }
    return .end
  }

  func cancel() {}
}
