package import JSON

/// The reason why a request was refused.
///
/// Nothing has changed then.
///
/// It has a code and the location of the fault, but no status. The transport maps codes to
/// statuses.
package struct ServiceError: Error, Equatable, Sendable {
  /// The kind of error.
  package var code: ServiceErrorCode
  /// A sentence that says what to do.
  package var detail: String
  /// The index of the operation in its batch.
  package var operation: Int?
  /// The key with the fault.
  package var key: String?
  /// A JSON Pointer (RFC 6901) to the fault in the body.
  package var pointer: String?
  /// The offset of a syntax error in the body, in bytes.
  package var byteOffset: Int?
  /// The line of an import, counted from 1.
  package var line: Int?
  /// The current revision of the session, or tree.
  package var revision: Revision?
  /// The present number of rows of the session.
  package var rowCount: Int?
  /// The limit that was exceeded.
  package var limit: Int?

  /// True if this is a stored refusal of a repeated request.
  package var wasReplayed = false
  /// The commit that the refusal waits for.
  ///
  /// A refusal that is stored must outlive the process.
  package var durability = Durability()

  /// Makes an error.
  ///
  /// The other members can be set later.
  package init(_ code: ServiceErrorCode, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// Makes an error about a key.
  package init(_ code: ServiceErrorCode, _ detail: String, key: some Sequence<UInt8>) {
    self.init(code, detail)
    self.key = String(decoding: Array(key), as: UTF8.self)
  }

  /// Makes an `overloaded` error with the exceeded limit.
  package static func overloaded(limit: Int, _ detail: String) -> ServiceError {
    var error = ServiceError(.overloaded, detail)
    error.limit = limit
    return error
  }

  /// Makes a `content-too-large` error with the exceeded limit.
  package static func tooLarge(limit: Int, _ detail: String) -> ServiceError {
    var error = ServiceError(.contentTooLarge, detail)
    error.limit = limit
    return error
  }

  /// Makes a `malformed-json` error of a syntax error.
  ///
  /// - Parameters:
  ///   - fault: The syntax error.
  ///   - text: The name of the text, at the start of a sentence.
  /// - Precondition: The error is a syntax error.
  package init(_ fault: JSONError, in text: String = "The body") {
    precondition(fault.isSyntaxFault)
    self.init(.malformedJSON, "\(text) is not JSON: \(fault.sentence).")
    byteOffset = fault.offset
    if case .tooDeep(let limit) = fault.reason {
      self.limit = limit
    }
  }

  /// Returns the same error with the index of an operation.
  package func at(operation: Int) -> ServiceError {
    var error = self
    error.operation = operation
    return error
  }

  /// The memory of the texts in bytes.
  ///
  /// - Complexity: O(1).
  package var byteCount: Int {
    [detail, key ?? "", pointer ?? ""].reduce(0) { bytes, text in
      // Up to 15 bytes are stored in place.
      text.utf8.count > 15 ? bytes + text.utf8.count + 48 : bytes
    }
  }

  /// Writes the members of the error into an open object.
  package func writeMembers(to writer: inout JSONWriter) {
    writer.name("detail")
    writer.string(detail)
    writer.name("code")
    writer.string(code.rawValue)
    writer.member("operation", operation)
    writer.member("key", key)
    writer.member("pointer", pointer)
    writer.member("byteOffset", byteOffset)
    writer.member("line", line)
    writer.member("revision", revision.map { Int($0.number) })
    writer.member("rowCount", rowCount)
    writer.member("limit", limit)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: StaticString, _ value: Int?) {
    guard let value else { return }
    self.name(name)
    integer(value)
  }

  fileprivate mutating func member(_ name: StaticString, _ value: String?) {
    guard let value else { return }
    self.name(name)
    string(value)
  }
}

extension JSONError {
  /// The fault and its location, as the end of a sentence.
  fileprivate var sentence: String {
    let what =
      switch reason {
      case .emptyInput: "there is no value"
      case .unexpectedEnd: "it ends in the middle of a value"
      case .unexpectedByte: "this byte cannot stand here"
      case .trailingBytes: "there is more after the value"
      case .byteOrderMark: "it begins with a byte order mark, leave that out"
      case .invalidUTF8: "a string is not UTF-8"
      case .controlByteInString: "a control character in a string must be escaped"
      case .invalidEscape: "a string has an unknown escape"
      case .loneSurrogate: "a string escapes half of a surrogate pair"
      case .invalidNumber: "a number is written wrongly"
      case .tooDeep(let limit): "it is nested deeper than \(limit) levels"
      case .wrongType, .notAnInteger: "a value is of another type than expected"
      }
    return "\(what), at byte \(offset)"
  }
}
