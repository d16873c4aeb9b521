public import JSON

/// Why a request was refused; nothing has changed then.
///
/// A code and where the fault is, but no status: what a code means to a transport, the transport
/// knows.
public struct ServiceError: Error, Equatable, Sendable {
  /// What went wrong.
  public var code: ServiceErrorCode
  /// A sentence that says what to do.
  public var detail: String
  /// The index of the operation in its batch.
  public var operation: Int?
  /// The key the fault is about.
  public var key: String?
  /// A JSON Pointer (RFC 6901) to the place in the body.
  public var pointer: String?
  /// The offset in the body, in bytes, at which the JSON went wrong.
  public var byteOffset: Int?
  /// The line of an import, counted from 1.
  public var line: Int?
  /// The current revision of the session, or tree.
  public var revision: Revision?
  /// How many rows the session has now.
  public var rowCount: Int?
  /// The limit that was met.
  public var limit: Int?

  /// Whether the same refusal was given before, to the same request.
  public var wasReplayed = false
  /// What the refusal itself waits for: one that is remembered is to outlive the process, too.
  public var durability = Durability()

  /// Makes an error of the given code; the other members can be set afterwards.
  public init(_ code: ServiceErrorCode, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// Makes an error about a key.
  public init(_ code: ServiceErrorCode, _ detail: String, key: some Sequence<UInt8>) {
    self.init(code, detail)
    self.key = String(decoding: Array(key), as: UTF8.self)
  }

  /// An `overloaded` that says which limit was met.
  public static func overloaded(limit: Int, _ detail: String) -> ServiceError {
    var error = ServiceError(.overloaded, detail)
    error.limit = limit
    return error
  }

  /// A `content-too-large` that says which limit was met.
  public static func tooLarge(limit: Int, _ detail: String) -> ServiceError {
    var error = ServiceError(.contentTooLarge, detail)
    error.limit = limit
    return error
  }

  /// Makes a `malformed-json` of a syntax fault.
  ///
  /// - Parameters:
  ///   - fault: What is wrong with the text.
  ///   - text: What the text is, as the beginning of a sentence.
  /// - Precondition: The fault is one of syntax.
  public init(_ fault: JSONError, in text: String = "The body") {
    precondition(fault.isSyntaxFault)
    self.init(.malformedJSON, "\(text) is not JSON: \(fault.sentence).")
    byteOffset = fault.offset
    if case .tooDeep(let limit) = fault.reason {
      self.limit = limit
    }
  }

  /// The same error, said of an operation of a batch.
  public func at(operation: Int) -> ServiceError {
    var error = self
    error.operation = operation
    return error
  }

  /// Writes `detail`, `code` and what else there is as members of an open object.
  public func writeMembers(to writer: inout JSONWriter) {
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
  /// What is wrong and where, as the end of a sentence.
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
