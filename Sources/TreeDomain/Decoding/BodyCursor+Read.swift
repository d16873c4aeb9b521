import JSON

extension BodyCursor {
  mutating func skipValue() throws(ServiceError) -> Range<Int> {
    do throws(JSONError) { return try reader.skipValue() } catch { throw failure(error) }
  }

  /// Skips the object of a node, which may be any value, or a merge patch.
  mutating func skipObject() throws(ServiceError) -> Range<Int> {
    do throws(JSONError) {
      return try reader.skipValue(maxOwnDepth: limits.maxJSONDepth)
    } catch {
      throw failure(error)
    }
  }

  mutating func readNull() throws(ServiceError) {
    do throws(JSONError) { try reader.readNull() } catch { throw failure(error) }
  }

  /// Reads an integer of at least `least`.
  ///
  /// `other` names the alternative values for the error.
  mutating func readInt(
    atLeast least: Int,
    or other: String? = nil
  ) throws(ServiceError) -> Int {
    let value: Int
    do throws(JSONError) { value = try reader.readInt() } catch {
      throw error.isSyntaxFault ? failure(error) : outOfRange(least, or: other)
    }
    guard value >= least else { throw outOfRange(least, or: other) }
    return value
  }

  /// Reads a count of children.
  mutating func readCount() throws(ServiceError) -> Int32 {
    guard let count = Int32(exactly: try readInt(atLeast: 0)) else {
      throw outOfRange(0, "\(Int32.max)")
    }
    return count
  }

  private func outOfRange(
    _ least: Int,
    _ greatest: String = "2^63 - 1",
    or other: String? = nil
  ) -> ServiceError {
    let end = other.map { ", or \($0)" } ?? ""
    return invalid("This must be a whole number from \(least) to \(greatest)\(end).")
  }

  /// Reads a Boolean value.
  mutating func readBool() throws(ServiceError) -> Bool {
    do throws(JSONError) { return try reader.readBool() } catch {
      throw error.isSyntaxFault ? failure(error) : invalid("This must be true or false.")
    }
  }

  /// Reads the literal `true`, the only value allowed here.
  mutating func readTrue() throws(ServiceError) {
    let isTrue: Bool
    do throws(JSONError) { isTrue = try reader.readBool() } catch {
      throw error.isSyntaxFault ? failure(error) : notTrue
    }
    guard isTrue else { throw notTrue }
  }

  private var notTrue: ServiceError { invalid("This must be true; leave it out otherwise.") }

  /// Reads one of the words of a table, or returns `nil` for any other string.
  mutating func readWord<Word>(of table: FieldTable<Word>) throws(ServiceError) -> Word? {
    try expect(.string, "a string")
    let string: JSONString
    do throws(JSONError) { string = try reader.readString() } catch { throw failure(error) }
    return table.names.position(of: string, in: reader.bytes).map { table.fields[$0] }
  }

  /// Reads a string.
  ///
  /// The slice of a string with escapes refers to bytes after the body.
  mutating func readString() throws(ServiceError) -> ByteSlice {
    try expect(.string, "a string")
    let string: JSONString
    do throws(JSONError) { string = try reader.readString() } catch { throw failure(error) }
    guard string.hasEscapes else { return ByteSlice(string.range) }
    return append(string.decoded(from: reader.bytes))
  }

  /// Checks that the next value is of the given kind.
  mutating func expect(_ kind: JSONKind, _ name: StaticString) throws(ServiceError) {
    guard try peekKind() == kind else { throw invalid("This must be \(name).") }
  }

  /// Returns the bytes of a string that was read.
  func bytes(of slice: ByteSlice) -> ArraySlice<UInt8> {
    let count = reader.bytes.count
    guard slice.offset >= count else { return reader.bytes[slice.range] }
    return appended[(slice.offset - count)..<(slice.offset - count + slice.count)]
  }
}
