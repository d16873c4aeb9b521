import HTTP

extension FieldName {
  /// The client's preferences (RFC 7240).
  static let prefer = FieldName("Prefer")
  /// The preferences that the response honors.
  static let preferenceApplied = FieldName("Preference-Applied")
}

extension Fields {
  /// The maximum size in bytes of a list of preferences that is read.
  static let maxPreferenceBytes = 1_024

  /// True if the fields contain the preference `return=minimal` (RFC 7240, 4.2).
  ///
  /// If a preference is repeated, the first one counts. A list of more than 1 024 bytes is ignored.
  var preferMinimalReturn: Bool {
    guard let list = combinedValue(.prefer), list.count <= Self.maxPreferenceBytes else {
      return false
    }
    for preference in list.parts(separatedBy: UInt8(ascii: ",")) {
      let words = preference.parts(separatedBy: UInt8(ascii: ";"))[0]
        .parts(separatedBy: UInt8(ascii: "="))
      guard String(decoding: words[0].trimmed, as: UTF8.self).lowercased() == "return" else {
        continue
      }
      return words.count == 2 && words[1].trimmed.unquoted.elementsEqual("minimal".utf8)
    }
    return false
  }
}

extension Collection<UInt8> {
  /// Returns the parts between separators outside of quoted strings; at least one.
  fileprivate func parts(separatedBy separator: UInt8) -> [SubSequence] {
    var isQuoted = false
    var isEscaped = false
    return split(omittingEmptySubsequences: false) { byte in
      defer { isEscaped = byte == UInt8(ascii: "\\") && !isEscaped }
      if byte == UInt8(ascii: "\""), !isEscaped { isQuoted.toggle() }
      return byte == separator && !isQuoted
    }
  }
}

extension Collection<UInt8> where SubSequence == Self {
  /// The text without surrounding white space.
  fileprivate var trimmed: Self {
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let rest = drop(while: isSpace)
    return rest.prefix(rest.count - rest.reversed().prefix(while: isSpace).count)
  }

  /// The text without surrounding quotes, if it has them.
  fileprivate var unquoted: Self {
    guard count >= 2, first == UInt8(ascii: "\""), dropFirst(count - 1).first == first else {
      return self
    }
    return dropFirst().prefix(count - 2)
  }
}
