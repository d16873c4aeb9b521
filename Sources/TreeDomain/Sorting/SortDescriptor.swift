package import JSON

/// A criterion of a sort order: the subject, the direction and the comparison.
package struct SortDescriptor: Hashable, Sendable {
  /// The compared part of a node.
  package enum Subject: Hashable, Sendable {
    /// The node's key.
    case key
    /// A value inside the node's object.
    case value(JSONPointer)

    /// Parses a subject: `#key` or a JSON Pointer; `nil` for anything else.
    package init?(_ written: some Collection<UInt8>) {
      if written.elementsEqual("#key".utf8) {
        self = .key
      } else if let pointer = JSONPointer(written) {
        self = .value(pointer)
      } else {
        return nil
      }
    }

    /// Writes the subject as a string: `#key` or the pointer.
    func write(to writer: inout JSONWriter) {
      switch self {
      case .key: writer.string("#key" as StaticString)
      case .value(let pointer): writer.string(pointer.bytes[...])
      }
    }
  }

  /// The direction of a sort.
  package enum Direction: String, CaseIterable, Sendable {
    /// Smaller values first.
    case ascending
    /// Greater values first. Null and absent values come last.
    case descending
  }

  /// The comparison of strings.
  ///
  /// Values of other types compare by type, then by value.
  package enum Comparison: String, CaseIterable, Sendable {
    /// Strings by code points.
    case auto
    /// Strings by code points, as in ``auto``.
    case text
    /// Strings by code points after mapping to lower case.
    case caseInsensitive
    /// Strings with their runs of digits compared as numbers.
    case natural
    /// Strings that are JSON numbers, by value. Other strings come after all numbers.
    case number
  }

  /// The compared part of a node.
  package var subject: Subject
  /// The direction.
  package var direction: Direction
  /// The comparison of strings.
  package var comparison: Comparison

  /// Makes a criterion.
  package init(
    by subject: Subject,
    _ direction: Direction = .ascending,
    compare comparison: Comparison = .auto
  ) {
    self.subject = subject
    self.direction = direction
    self.comparison = comparison
  }

  /// Writes the criterion in the form of the contract, with explicit defaults.
  package func write(to writer: inout JSONWriter) {
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
