/// A parser of the head of one response (RFC 9112, 4–6), for input in pieces of any size.
///
/// The owner keeps the input and passes all of it with each call. The rules for lines and fields
/// are those for requests: nothing is repaired.
struct ResponseParser: Sendable {
  private let limits: Limits
  private let isToHead: Bool
  private var status: Status?
  private var version = Version.http11
  private var fieldsStart = 0
  private var lineStart = 0
  /// The offset of the next byte to read.
  private(set) var position = 0
  private var entries: [Fields.Entry] = []
  private var notes = FramingFields()

  /// Creates a parser of the response at the begin of the input.
  init(limits: Limits, isToHead: Bool) {
    self.limits = limits
    self.isToHead = isToHead
  }

  /// Continues parsing.
  ///
  /// - Parameter bytes: All input: that of earlier calls and the new one behind it.
  /// - Returns: The head, which ends at ``position``, or nil if it is incomplete.
  /// - Throws: The rule that the response breaks. The parser must not be used afterwards.
  mutating func parse(_ bytes: [UInt8]) throws(ResponseFault) -> ResponseHead? {
    if status == nil {
      guard let line = try nextLine(bytes, upTo: limits.maxRequestLineBytes) else { return nil }
      try parseStatusLine(bytes.span.extracting(line))
      fieldsStart = lineStart
      entries.reserveCapacity(16)
    }
    while let line = try nextLine(bytes, upTo: fieldsStart + limits.maxHeaderBytes - 2) {
      guard !line.isEmpty else { return try finish(bytes) }
      try parseFieldLine(bytes, line)
    }
    return nil
  }

  private mutating func nextLine(
    _ bytes: [UInt8],
    upTo limit: Int
  ) throws(ResponseFault) -> Range<Int>? {
    do throws(RequestRejection) {
      let tooLong = RequestRejection.headerTooLarge(limit: limits.maxHeaderBytes)
      guard
        try HeadLine.seekEnd(in: bytes, from: &position, atMost: limit, tooLong: tooLong)
      else { return nil }
    } catch {
      throw .framing(error)
    }
    let line = lineStart..<position
    position += 2
    lineStart = position
    return line
  }

  /// Parses `HTTP-version SP status-code SP [ reason-phrase ]`.
  private mutating func parseStatusLine(_ line: Span<UInt8>) throws(ResponseFault) {
    guard line.count >= 13, line[8] == .space, line[12] == .space else {
      throw .malformedStatusLine
    }
    do throws(RequestRejection) {
      version = try Version(parsing: line.extracting(..<8))
    } catch {
      throw error == .unsupportedVersion ? .unexpectedProtocol : .malformedStatusLine
    }
    var code = 0
    for place in 9..<12 {
      guard line[place].isDigit else { throw .malformedStatusLine }
      code = code * 10 + Int(line[place] - UInt8(ascii: "0"))
    }
    guard (100...599).contains(code) else { throw .malformedStatusLine }
    guard code != 101 else { throw .unexpectedProtocol }
    status = Status(code)
  }

  private mutating func parseFieldLine(
    _ bytes: [UInt8],
    _ line: Range<Int>
  ) throws(ResponseFault) {
    do throws(RequestRejection) {
      guard entries.count < limits.maxHeaderFields else {
        throw .tooManyFields(limit: limits.maxHeaderFields)
      }
      let (name, value) = try HeadLine.parseField(in: bytes.span, line)
      entries.append(Fields.Entry(name: Self.narrow(name), value: Self.narrow(value)))
      guard Self.framingNames.contains(where: { $0.names(bytes[name]) }) else { return }
      try notes.read(name: bytes[name], value: bytes[value], knownHost: [])
    } catch {
      throw .framing(error)
    }
  }

  private static let framingNames: [FieldName] = [.connection, .contentLength, .transferEncoding]

  private static func narrow(_ range: Range<Int>) -> Range<Int32> {
    Int32(range.lowerBound)..<Int32(range.upperBound)
  }

  private func finish(_ bytes: [UInt8]) throws(ResponseFault) -> ResponseHead {
    guard let status else { preconditionFailure("fields follow a status line") }
    do throws(RequestRejection) {
      let framing = try notes.framing(version)
      return ResponseHead(
        status: status,
        fields: Fields(bytes: Array(bytes[..<position]), entries: entries),
        framing: notes.framing(of: status, framing, toHead: isToHead),
        announcesChunks: framing == .chunked,
        announcedBytes: notes.contentLength,
        keepsAlive: notes.keepsAlive(version)
      )
    } catch {
      throw .framing(error)
    }
  }
}

/// A rule that a response breaks.
package enum ResponseFault: Error, Equatable, Sendable {
  /// The status line is not `HTTP/1.` digit SP three digits SP reason (RFC 9112, 4).
  case malformedStatusLine
  /// The major version is not 1, or the status is 101, which nobody asked for.
  case unexpectedProtocol
  /// More interim responses than allowed come before the final one (RFC 9110, 15.2).
  case tooManyInterim(limit: Int)
  /// A rule about fields, framing or chunks, which requests and responses share.
  case framing(RequestRejection)
  /// The connection ended before the response did (RFC 9112, 8).
  case truncated
}
