extension JSONWriter {
  /// Writes an integer.
  public mutating func integer(_ value: Int) {
    digits(of: value.magnitude, isNegative: value < 0)
  }

  /// Writes an integer.
  public mutating func integer(_ value: UInt64) {
    digits(of: UInt(value), isNegative: false)
  }

  /// Writes an integer, or `null` when there is none.
  public mutating func integer(orNull value: Int?) {
    if let value {
      integer(value)
    } else {
      null()
    }
  }

  /// Writes a string.
  ///
  /// - Parameter utf8: Valid UTF-8, not escaped.
  public mutating func string(_ utf8: ArraySlice<UInt8>) {
    let text = utf8.span
    guard Scan.unescaped(text, 0) == text.count else {
      escapedString(utf8)
      return
    }
    token(roomFor: utf8.count &+ 2) { span, i in
      span[i] = Ascii.quote
      i &+= 1
      JSONWriter.copy(utf8, to: &span, &i)
      span[i] = Ascii.quote
      i &+= 1
    }
  }

  /// Writes a string.
  public mutating func string(_ value: String) {
    string(Array(value.utf8)[...])
  }

  /// Writes a string that needs no escapes.
  @inlinable
  public mutating func string(_ constant: StaticString) {
    token(roomFor: constant.utf8CodeUnitCount &+ 2) { span, i in
      span[i] = Ascii.quote
      i &+= 1
      JSONWriter.copy(constant, to: &span, &i)
      span[i] = Ascii.quote
      i &+= 1
    }
  }

  /// Writes a member whose name and value are JSON already.
  mutating func member(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    self.name(written: name)
    raw(value)
  }

  private mutating func digits(of value: UInt, isNegative: Bool) {
    token(roomFor: 20) { span, i in
      if isNegative {
        span[i] = Ascii.minus
        i &+= 1
      }
      let start = i
      // To the last digit: the largest value has twenty, one more than the last bound that fits.
      var bound: UInt = 10
      while value >= bound, i < start &+ 19 {
        bound &*= 10
        i &+= 1
      }
      var rest = value
      var place = i
      while place > start {
        let quotient = rest / 10
        span[place] = Ascii.zero &+ UInt8(truncatingIfNeeded: rest &- quotient &* 10)
        rest = quotient
        place &-= 1
      }
      span[start] = Ascii.zero &+ UInt8(truncatingIfNeeded: rest)
      i &+= 1
    }
  }

  /// Writes a string of which some bytes must be escaped, each to at most six.
  private mutating func escapedString(_ utf8: ArraySlice<UInt8>) {
    token(roomFor: 6 &* utf8.count &+ 2) { span, i in
      span[i] = Ascii.quote
      i &+= 1
      for byte in utf8 {
        if Scan.mustBeEscaped(byte) {
          JSONWriter.escape(byte, to: &span, &i)
        } else {
          span[i] = byte
          i &+= 1
        }
      }
      span[i] = Ascii.quote
      i &+= 1
    }
  }

  private static func escape(_ byte: UInt8, to span: inout MutableSpan<UInt8>, _ i: inout Int) {
    let short: UInt8? =
      switch byte {
      case Ascii.quote, Ascii.backslash: byte
      case 0x08: Ascii.b
      case 0x0C: Ascii.f
      case Ascii.newline: Ascii.n
      case Ascii.carriageReturn: Ascii.r
      case Ascii.tab: Ascii.t
      default: nil
      }
    span[i] = Ascii.backslash
    i &+= 1
    if let short {
      span[i] = short
      i &+= 1
      return
    }
    copy(byte < 0x10 ? "u000" : "u001", to: &span, &i)
    let low = byte & 0x0F
    span[i] = low < 10 ? Ascii.zero &+ low : 0x57 &+ low
    i &+= 1
  }
}
