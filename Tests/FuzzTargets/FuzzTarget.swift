/// Laws that hold for any bytes, to be tried on bytes that a fuzzer or a seeded test makes up.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Requests: the same in one piece and in any others.
  case requests
  /// Chunked content: what is understood is what the grammar says.
  case chunks
  /// JSON: checked, walked, written and searched with one opinion of it.
  case json
  /// Batches: decoded as the JSON they are, or refused.
  case batches
  /// Lines of an import: the same in any pieces, quickly read or carefully.
  case imports

  /// Tries the laws on an input.
  ///
  /// - Throws: ``FuzzFinding`` where one does not hold.
  public func check(_ input: [UInt8]) throws(FuzzFinding) {
    switch self {
    case .requests: try RequestLaw.check(input)
    case .chunks: try ChunkLaw.check(input)
    case .json: try JSONLaw.check(input)
    case .batches: try BatchLaw.check(input)
    case .imports: try ImportLaw.check(input)
    }
  }

  /// Inputs that lead into all corners of what is tried, to begin with.
  public var corpus: [[UInt8]] {
    switch self {
    case .requests: RequestLaw.corpus
    case .chunks: ChunkLaw.corpus
    case .json: JSONLaw.corpus
    case .batches: BatchLaw.corpus
    case .imports: ImportLaw.corpus
    }
  }
}

/// A law that an input breaks.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// What does not hold.
  public let description: String

  init(_ description: String) { self.description = description }

  static func expect(_ holds: Bool, _ law: @autoclosure () -> String) throws(FuzzFinding) {
    guard holds else { throw FuzzFinding(law()) }
  }
}
