/// The laws that a fuzzer or a seeded test checks with arbitrary bytes.
public enum FuzzTarget: String, CaseIterable, Sendable {
  /// Requests: the result does not depend on the pieces in which they arrive.
  case requests
  /// Chunked content: the decoder follows the grammar.
  case chunks
  /// JSON: validation, parsing, writing and search agree.
  case json
  /// Batches: they are decoded as valid JSON, or refused.
  case batches
  /// Lines of an import: the result depends neither on pieces nor on the fast path.
  case imports

  /// Checks the laws for an input.
  ///
  /// - Throws: ``FuzzFinding`` if a law does not hold.
  public func check(_ input: [UInt8]) throws(FuzzFinding) {
    switch self {
    case .requests: try RequestLaw.check(input)
    case .chunks: try ChunkLaw.check(input)
    case .json: try JSONLaw.check(input)
    case .batches: try BatchLaw.check(input)
    case .imports: try ImportLaw.check(input)
    }
  }

  /// The initial inputs, which reach all parts of the code.
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

/// A violation of a law.
public struct FuzzFinding: Error, CustomStringConvertible {
  /// The message.
  public let description: String

  init(_ description: String) { self.description = description }

  static func expect(_ holds: Bool, _ law: @autoclosure () -> String) throws(FuzzFinding) {
    guard holds else { throw FuzzFinding(law()) }
  }
}
