extension JSONPointer {
  /// Finds the value that the pointer names.
  ///
  /// Among duplicate members the last one counts.
  ///
  /// - Parameters:
  ///   - text: The bytes that contain a JSON value.
  ///   - range: The range of the value in `text`. It must be valid JSON.
  /// - Returns: The range of the named value, or `nil` if there is none.
  /// - Complexity: O(length of the value), for any length of the pointer.
  public func evaluate(in text: [UInt8], at range: Range<Int>) -> Range<Int>? {
    guard let first else { return range }
    var search = PointerSearch(self, JSONReader(text, in: range, maxDepth: .max))
    do throws(JSONError) {
      return try search.run(from: first)
    } catch {
      preconditionFailure("the value was not valid JSON")
    }
  }
}

/// A pass over a value that enters only containers on the pointer's path.
private struct PointerSearch {
  /// An array or object that is open, with the token that names one of its values.
  private struct Container {
    let token: JSONPointer.Token
    let isObject: Bool
    /// The index of the next element, and the one that the token stands for.
    var next = 0
    var index: Int?
  }

  private let pointer: JSONPointer
  private var reader: JSONReader
  /// The open containers, outermost first.
  private var open: [Container] = []
  private var found: Range<Int>?

  init(_ pointer: JSONPointer, _ reader: JSONReader) {
    self.pointer = pointer
    self.reader = reader
  }

  mutating func run(from first: JSONPointer.Token) throws(JSONError) -> Range<Int>? {
    _ = try enter(first)
    while let container = open.last {
      guard let isNamed = try advance() else {
        open.removeLast()
        continue
      }
      guard isNamed else {
        _ = try reader.skipValue()
        continue
      }
      // A duplicate member replaces the one before, with all that was found in it.
      found = nil
      guard let next = pointer.token(after: container.token) else {
        found = try reader.skipValue()
        continue
      }
      if try !enter(next) { _ = try reader.skipValue() }
    }
    return found
  }

  /// Enters the next value, in which `token` names a value, if it is an array or object.
  ///
  /// Returns false if it is not.
  private mutating func enter(_ token: JSONPointer.Token) throws(JSONError) -> Bool {
    switch try reader.peekKind() {
    case .object:
      try reader.beginObject()
      open.append(Container(token: token, isObject: true))
    case .array:
      try reader.beginArray()
      open.append(Container(token: token, isObject: false, index: pointer.index(of: token)))
    default:
      return false
    }
    return true
  }

  /// Advances to the next member or element of the innermost container.
  ///
  /// Returns true if the token names it, or `nil` at the end of the container.
  private mutating func advance() throws(JSONError) -> Bool? {
    let container = open[open.count - 1]
    if container.isObject {
      return try reader.nextMember()?.equals(pointer.name(of: container.token), in: reader.bytes)
    }
    open[open.count - 1].next += 1
    return try reader.nextElement() ? container.next == container.index : nil
  }
}

extension JSONPointer {
  /// Finds the value that the pointer names in a text that contains exactly one value.
  ///
  /// Pointers of one token, which are the most frequent, are followed without copying the text.
  ///
  /// - Parameter text: A valid JSON value; it is not checked.
  /// - Returns: The range of the named value in the slice, or `nil` if there is none.
  /// - Complexity: O(length of the text).
  public func evaluate(in text: ArraySlice<UInt8>) -> Range<Int>? {
    guard let first else { return text.indices }
    let found: Range<Int>?
    if token(after: first) == nil {
      found = PlainScan.member(first, of: self, in: text)
    } else {
      let copy = Array(text)
      found = evaluate(in: copy, at: copy.indices)
    }
    guard let found else { return nil }
    return (text.startIndex &+ found.lowerBound)..<(text.startIndex &+ found.upperBound)
  }
}
