/// The position of a string in JSON text, not yet decoded.
public struct JSONString: Equatable, Sendable {
  /// The range of the bytes between the quotes.
  public var range: Range<Int>
  /// True if the string contains a backslash, so that it must be decoded.
  public var hasEscapes: Bool

  /// Creates a string from the range between its quotes.
  public init(range: Range<Int>, hasEscapes: Bool) {
    self.range = range
    self.hasEscapes = hasEscapes
  }
}

extension JSONString {
  /// Appends the decoded string, as UTF-8.
  ///
  /// - Parameters:
  ///   - text: The text that the string was read from.
  ///   - output: The destination.
  /// - Precondition: The string was read from `text` by a ``JSONReader``.
  /// - Complexity: O(length of the string).
  public func appendDecoded(from text: [UInt8], to output: inout [UInt8]) {
    guard hasEscapes else {
      output.append(contentsOf: text[range])
      return
    }
    var i = range.lowerBound
    while i < range.upperBound {
      let plainStart = i
      while i < range.upperBound, text[i] != Ascii.backslash { i &+= 1 }
      output.append(contentsOf: text[plainStart..<i])
      if i < range.upperBound {
        i = JSONString.appendEscape(text, at: i, to: &output)
      }
    }
  }

  /// Returns the decoded string, as UTF-8.
  ///
  /// - Precondition: The string was read from `text` by a ``JSONReader``.
  public func decoded(from text: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(range.count)
    appendDecoded(from: text, to: &output)
    return output
  }

  /// Returns true if the decoded string is equal to some bytes.
  ///
  /// - Precondition: The string was read from `text` by a ``JSONReader``.
  /// - Complexity: O(length of the string); allocates only if the string has escapes.
  public func equals(_ other: some Collection<UInt8>, in text: [UInt8]) -> Bool {
    guard hasEscapes else {
      return range.count == other.count && text[range].elementsEqual(other)
    }
    return range.count >= other.count && decoded(from: text).elementsEqual(other)
  }

  /// Decodes the valid escape at `i` and returns the offset behind it.
  private static func appendEscape(
    _ text: [UInt8],
    at i: Int,
    to output: inout [UInt8]
  ) -> Int {
    switch text[i &+ 1] {
    case Ascii.b: output.append(0x08)
    case Ascii.f: output.append(0x0C)
    case Ascii.n: output.append(Ascii.newline)
    case Ascii.r: output.append(Ascii.carriageReturn)
    case Ascii.t: output.append(Ascii.tab)
    case Ascii.u:
      guard let (scalar, end) = try? Scan.unicodeEscape(text.span, i) else {
        preconditionFailure("the escape was checked when the string was read")
      }
      appendUTF8(scalar, to: &output)
      return end
    case let literal: output.append(literal)
    }
    return i &+ 2
  }

  private static func appendUTF8(_ scalar: UInt32, to output: inout [UInt8]) {
    switch scalar {
    case 0..<0x80:
      output.append(UInt8(scalar))
      return
    case 0x80..<0x800:
      output.append(0xC0 | UInt8(scalar &>> 6))
    case 0x800..<0x10000:
      output.append(0xE0 | UInt8(scalar &>> 12))
      output.append(0x80 | UInt8(scalar &>> 6 & 0x3F))
    default:
      output.append(0xF0 | UInt8(scalar &>> 18))
      output.append(0x80 | UInt8(scalar &>> 12 & 0x3F))
      output.append(0x80 | UInt8(scalar &>> 6 & 0x3F))
    }
    output.append(0x80 | UInt8(scalar & 0x3F))
  }
}
