public import JSON

/// One criterion of an order: what is compared, how, and which way round.
public struct SortDescriptor: Hashable, Sendable {
  /// What is compared.
  public enum Subject: Hashable, Sendable {
    /// The node's key.
    case key
    /// A value inside the node's object.
    case value(JSONPointer)

    /// Reads a subject as it is written: `#key`, or a JSON Pointer; `nil` for anything else.
    public init?(_ written: some Collection<UInt8>) {
      if written.elementsEqual("#key".utf8) {
        self = .key
      } else if let pointer = JSONPointer(written) {
        self = .value(pointer)
      } else {
        return nil
      }
    }

    /// Writes the subject as a string: `#key`, or the pointer.
    func write(to writer: inout JSONWriter) {
      switch self {
      case .key: writer.string("#key" as StaticString)
      case .value(let pointer): writer.string(pointer.bytes[...])
      }
    }
  }

  /// Which way round.
  public enum Direction: String, CaseIterable, Sendable {
    /// The lesser first.
    case ascending
    /// The greater first; null and absent values come last then.
    case descending
  }

  /// How strings compare; values of other types always compare by type, then by value.
  public enum Comparison: String, CaseIterable, Sendable {
    /// Strings by code points.
    case auto
    /// Strings by code points.
    case text
    /// Strings by code points after mapping to lower case.
    case caseInsensitive
    /// Strings with their runs of digits compared as numbers.
    case natural
    /// Strings that are JSON numbers as those numbers, and other strings after all numbers.
    case number
  }

  /// What is compared.
  public var subject: Subject
  /// Which way round.
  public var direction: Direction
  /// How strings compare.
  public var comparison: Comparison

  /// Makes a criterion.
  public init(
    by subject: Subject,
    _ direction: Direction = .ascending,
    compare comparison: Comparison = .auto
  ) {
    self.subject = subject
    self.direction = direction
    self.comparison = comparison
  }

  /// Writes the criterion as the contract has it, with its defaults spelt out.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("by")
    subject.write(to: &writer)
    writer.name("direction")
    writer.string(direction.rawValue)
    writer.name("compare")
    writer.string(comparison.rawValue)
    writer.endObject()
  }
}
