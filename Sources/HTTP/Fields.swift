/// An ordered list of header fields.
///
/// All names and values lie in one byte array; a field is four offsets into it. A request's fields
/// share the array its head was copied to.
public struct Fields: Sendable {
  /// Where one field lies in the bytes.
  struct Entry: Sendable {
    var name: Range<Int32>
    var value: Range<Int32>
  }

  private static let separator = Array(": ".utf8)

  private var bytes: [UInt8]
  private var entries: [Entry]

  /// No fields.
  public init() {
    bytes = []
    entries = []
  }

  /// Fields of which the parser has found the places.
  init(bytes: [UInt8], entries: [Entry]) {
    self.bytes = bytes
    self.entries = entries
  }

  /// The number of fields; a repeated name counts each time.
  public var count: Int { entries.count }

  /// The name of the field at an index in 0..<`count`.
  public func name(at index: Int) -> ArraySlice<UInt8> { slice(entries[index].name) }

  /// The value of the field at an index in 0..<`count`, outer white space trimmed.
  public func value(at index: Int) -> ArraySlice<UInt8> { slice(entries[index].value) }

  /// The line of the field at an index in 0..<`count`, as it is sent, without its CRLF.
  func line(at index: Int) -> ArraySlice<UInt8> {
    slice(entries[index].name.lowerBound..<entries[index].value.upperBound)
  }

  /// Whether the field at an index has this name.
  func isNamed(_ name: FieldName, at index: Int) -> Bool {
    equalIgnoringCase(slice(entries[index].name), name.bytes)
  }

  /// Whether there is a field of this name.
  ///
  /// O(count).
  public func contains(_ name: FieldName) -> Bool { value(name) != nil }

  /// The value of the first field of this name, nil if there is none.
  ///
  /// O(count).
  public func value(_ name: FieldName) -> ArraySlice<UInt8>? {
    for entry in entries where equalIgnoringCase(slice(entry.name), name.bytes) {
      return slice(entry.value)
    }
    return nil
  }

  /// The values of all fields of this name, in order, joined with `", "` as RFC 9110, 5.3 has it;
  /// nil if there is none.
  ///
  /// O(count).
  public func combinedValue(_ name: FieldName) -> [UInt8]? {
    var combined: [UInt8]?
    for entry in entries where equalIgnoringCase(slice(entry.name), name.bytes) {
      if combined == nil {
        combined = Array(slice(entry.value))
      } else {
        combined?.append(contentsOf: ", ".utf8)
        combined?.append(contentsOf: slice(entry.value))
      }
    }
    return combined
  }

  /// Adds a field at the end.
  ///
  /// The value must not contain CR, LF, NUL or another control character: what comes from a client
  /// is to be encoded before it gets here.
  public mutating func append(_ name: FieldName, _ value: some Collection<UInt8>) {
    let nameStart = Int32(bytes.count)
    bytes.append(contentsOf: name.bytes)
    let nameEnd = Int32(bytes.count)
    bytes.append(contentsOf: Self.separator)
    let valueStart = Int32(bytes.count)
    bytes.append(contentsOf: value)
    let valueEnd = Int32(bytes.count)
    precondition(
      !slice(valueStart..<valueEnd).contains(where: \.isForbiddenControl),
      "a field value has no control characters"
    )
    entries.append(Entry(name: nameStart..<nameEnd, value: valueStart..<valueEnd))
  }

  /// Adds a field at the end, its value given as text.
  ///
  /// See the form that takes bytes.
  public mutating func append(_ name: FieldName, _ value: String) {
    append(name, value.utf8)
  }

  private func slice(_ range: Range<Int32>) -> ArraySlice<UInt8> {
    bytes[Int(range.lowerBound)..<Int(range.upperBound)]
  }
}
