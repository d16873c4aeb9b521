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

  /// Where these were put together here, the lines as they are sent, each with the end of the one
  /// before it.
  private var bytes: [UInt8]
  private var entries: [Entry]
  /// The marks of all names: most that are asked for are not there.
  @usableFromInline private(set) var marks: UInt64 = 0
  /// Those that more than one name has: of all others there is one field at most.
  private var repeatedMarks: UInt64 = 0

  /// No fields.
  public init() {
    bytes = []
    entries = []
  }

  /// Fields of which the parser has found the places.
  init(bytes: [UInt8], entries: [Entry]) {
    self.bytes = bytes
    self.entries = entries
    for entry in entries { note(entry) }
  }

  /// The number of fields; a repeated name counts each time.
  public var count: Int { entries.count }

  /// The name of the field at an index in 0..<`count`.
  public func name(at index: Int) -> ArraySlice<UInt8> { slice(entries[index].name) }

  /// The value of the field at an index in 0..<`count`, outer white space trimmed.
  public func value(at index: Int) -> ArraySlice<UInt8> { slice(entries[index].value) }

  /// Appends the lines as they are sent, each with the end of the one before it.
  ///
  /// - Precondition: They did not come from a parser.
  func appendLines(to head: inout OutputSpan<UInt8>) { head.append(bytes.span) }

  /// The same, with something put into the `ETag`, if there is one, before its closing quote.
  func appendLines(to head: inout OutputSpan<UInt8>, extendingTagBy suffix: [UInt8]) {
    guard let tag = first(.eTag) else { return appendLines(to: &head) }
    let quote = Int(entries[tag].value.upperBound) - 1
    let lines = bytes.span
    head.append(lines.extracting(..<quote))
    head.append(suffix.span)
    head.append(lines.extracting(quote...))
  }

  /// How many bytes their lines have.
  var lineBytes: Int { bytes.count }

  /// Whether the field at an index has this name.
  func isNamed(_ name: FieldName, at index: Int) -> Bool {
    name.names(slice(entries[index].name))
  }

  /// Whether there is a field of this name.
  ///
  /// O(count).
  @inlinable
  public func contains(_ name: FieldName) -> Bool {
    marks & name.mark != 0 && first(name) != nil
  }

  /// The value of the field of this name, nil if there is none.
  ///
  /// Of a field that comes more than once it is ``combinedValue(_:)``, never one of its values:
  /// readers disagree about which counts. Where there may be one only, that is none there is.
  ///
  /// O(count).
  @inlinable
  public func value(_ name: FieldName) -> ArraySlice<UInt8>? {
    marks & name.mark == 0 ? nil : writtenValue(name)
  }

  /// The values of all fields of this name, in order, joined with `", "` as RFC 9110, 5.3 has it;
  /// nil if there is none.
  ///
  /// O(count).
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

  /// Adds a field at the end.
  ///
  /// The value must not contain CR, LF, NUL or another control character: what comes from a client
  /// is to be encoded before it gets here.
  public mutating func append(_ name: FieldName, _ value: some Collection<UInt8>) {
    append(name) { $0.append(contentsOf: value) }
  }

  /// Adds a field at the end whose value a function appends.
  private mutating func append(_ name: FieldName, _ append: (inout [UInt8]) -> Void) {
    if entries.isEmpty {
      bytes.reserveCapacity(128)
      entries.reserveCapacity(4)
    }
    bytes.append("\r\n")
    let nameStart = Int32(bytes.count)
    bytes.append(contentsOf: name.bytes)
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
    note(entry)
  }

  private mutating func note(_ entry: Entry) {
    let mark = FieldName.mark(ofLength: entry.name.count, from: bytes[Int(entry.name.lowerBound)])
    repeatedMarks |= marks & mark
    marks |= mark
  }

  /// Adds a field at the end whose value is a number in quotes, such as an entity tag.
  public mutating func append(_ name: FieldName, quoted number: UInt64) {
    append(name) { bytes in
      bytes.append(UInt8(ascii: "\""))
      bytes.append(decimal: number)
      bytes.append(UInt8(ascii: "\""))
    }
  }

  /// Adds a field at the end, its value given as text.
  ///
  /// See the form that takes bytes.
  public mutating func append(_ name: FieldName, _ value: String) {
    append(name, value.utf8)
  }

  /// The place of the first field of a name, at a place or behind it.
  @usableFromInline
  func first(_ name: FieldName, from start: Int = 0) -> Int? {
    let length = Int32(name.bytes.count)
    for place in start..<entries.count {
      // The length decides nearly always.
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
