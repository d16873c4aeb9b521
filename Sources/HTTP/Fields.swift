/// An ordered list of header fields.
///
/// All names and values are in one byte array; a field is four offsets into it. The fields of a
/// request share the array with the copy of its head.
public struct Fields: Sendable {
  /// The position of one field in the bytes.
  struct Entry: Sendable {
    var name: Range<Int32>
    var value: Range<Int32>
  }

  /// The head of a request, or for other fields the lines as sent, each preceded by CRLF.
  private var bytes: [UInt8]
  private var entries: [Entry]
  /// The union of all names' marks, which rules out most absent names.
  @usableFromInline private(set) var marks: UInt64 = 0
  /// The marks that occurred more than once.
  ///
  /// A name with any other mark occurs at most once.
  private var repeatedMarks: UInt64 = 0

  /// Creates an empty list.
  public init() {
    bytes = []
    entries = []
  }

  /// Creates a list of fields that the parser found.
  init(bytes: [UInt8], entries: [Entry]) {
    self.bytes = bytes
    self.entries = entries
    for entry in entries { record(entry) }
  }

  /// The number of fields.
  ///
  /// Repeated names count each time.
  public var count: Int { entries.count }

  /// Returns the name of the field at an index in 0..<`count`.
  public func name(at index: Int) -> ArraySlice<UInt8> { slice(entries[index].name) }

  /// Returns the value of the field at an index in 0..<`count`, without outer white space.
  public func value(at index: Int) -> ArraySlice<UInt8> { slice(entries[index].value) }

  /// Appends the lines, each preceded by CRLF.
  ///
  /// - Precondition: The fields were not created by a parser.
  func appendLines(to head: inout OutputSpan<UInt8>) { head.append(bytes.span) }

  /// Appends the lines, with a suffix inserted before the closing quote of an `ETag`.
  func appendLines(to head: inout OutputSpan<UInt8>, extendingTagBy suffix: [UInt8]) {
    guard let tag = first(.eTag) else { return appendLines(to: &head) }
    let quote = Int(entries[tag].value.upperBound) - 1
    let lines = bytes.span
    head.append(lines.extracting(..<quote))
    head.append(suffix.span)
    head.append(lines.extracting(quote...))
  }

  /// The length of all lines in bytes.
  var lineBytes: Int { bytes.count }

  /// Returns true if the field at an index has a name.
  func isNamed(_ name: FieldName, at index: Int) -> Bool {
    name.names(slice(entries[index].name))
  }

  /// Returns true if there is a field with a name.
  ///
  /// - Complexity: O(count).
  @inlinable
  public func contains(_ name: FieldName) -> Bool {
    marks & name.mark != 0 && first(name) != nil
  }

  /// Returns the value of the field with a name, or nil if there is none.
  ///
  /// A repeated field gives ``combinedValue(_:)`` and never one of its values, because parsers
  /// disagree about which one counts. Where only one value is allowed, the combined one is invalid.
  ///
  /// - Complexity: O(count).
  @inlinable
  public func value(_ name: FieldName) -> ArraySlice<UInt8>? {
    marks & name.mark == 0 ? nil : writtenValue(name)
  }

  /// Returns the values of all fields with a name, in order, joined with `", "` (RFC 9110, 5.3).
  ///
  /// Returns nil if there is none.
  ///
  /// - Complexity: O(count).
  @inlinable
  public func combinedValue(_ name: FieldName) -> [UInt8]? {
    marks & name.mark == 0 ? nil : writtenValues(name)
  }

  @usableFromInline
  func writtenValue(_ name: FieldName) -> ArraySlice<UInt8>? {
    guard let place = first(name) else { return nil }
    if repeatedMarks & name.mark != 0, first(name, from: place + 1) != nil {
      return combinedValue(name)?[...]
    }
    return slice(entries[place].value)
  }

  @usableFromInline
  func writtenValues(_ name: FieldName) -> [UInt8]? {
    guard let first = first(name) else { return nil }
    var combined = Array(slice(entries[first].value))
    for place in (first + 1)..<entries.count where isNamed(name, at: place) {
      combined.append(", ")
      combined.append(contentsOf: slice(entries[place].value))
    }
    return combined
  }

  /// Appends a field.
  ///
  /// - Precondition: The value has no CR, LF, NUL or other control characters. Input from a client
  ///   must be encoded first.
  public mutating func append(_ name: FieldName, _ value: some Collection<UInt8>) {
    append(name) { $0.append(contentsOf: value) }
  }

  /// Appends a field of another message.
  ///
  /// - Precondition: The name is a token.
  mutating func append(name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
    append(name) { $0.append(contentsOf: value) }
  }

  /// Appends a field whose value a closure appends.
  private mutating func append(_ name: FieldName, _ append: (inout [UInt8]) -> Void) {
    self.append(name.bytes[...], append)
  }

  private mutating func append(_ name: ArraySlice<UInt8>, _ append: (inout [UInt8]) -> Void) {
    if entries.isEmpty {
      bytes.reserveCapacity(128)
      entries.reserveCapacity(4)
    }
    bytes.append("\r\n")
    let nameStart = Int32(bytes.count)
    bytes.append(contentsOf: name)
    let nameEnd = Int32(bytes.count)
    bytes.append(": ")
    let valueStart = Int32(bytes.count)
    append(&bytes)
    let valueEnd = Int32(bytes.count)
    for place in Int(valueStart)..<Int(valueEnd) {
      precondition(!bytes[place].isForbiddenControl, "a field value has no control characters")
    }
    let entry = Entry(name: nameStart..<nameEnd, value: valueStart..<valueEnd)
    entries.append(entry)
    record(entry)
  }

  private mutating func record(_ entry: Entry) {
    let mark = FieldName.mark(ofLength: entry.name.count, from: bytes[Int(entry.name.lowerBound)])
    repeatedMarks |= marks & mark
    marks |= mark
  }

  /// Appends a field whose value is a number in quotes, such as an entity tag.
  public mutating func append(_ name: FieldName, quoted number: UInt64) {
    append(name) { bytes in
      bytes.append(UInt8(ascii: "\""))
      bytes.append(decimal: number)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// Appends a field with a value of text.
  ///
  /// - Precondition: The value has no control characters.
  public mutating func append(_ name: FieldName, _ value: String) {
    append(name, value.utf8)
  }

  /// Returns the index of the first field with a name, from an index on.
  @usableFromInline
  func first(_ name: FieldName, from start: Int = 0) -> Int? {
    let length = Int32(name.bytes.count)
    for place in start..<entries.count {
      // The length nearly always decides.
      let written = entries[place].name
      guard written.upperBound &- written.lowerBound == length else { continue }
      if isNamed(name, at: place) { return place }
    }
    return nil
  }

  private func slice(_ range: Range<Int32>) -> ArraySlice<UInt8> {
    bytes[Int(range.lowerBound)..<Int(range.upperBound)]
  }
}
