extension AccessKeys {
  /// Why a text is not one of keys; it tells the place and the rule, and nothing of the text.
  public struct Fault: Error, Equatable, Sendable {
    /// What is wrong there.
    public enum Rule: Sendable {
      /// There is no colon between an id and a secret.
      case noColon
      /// The id is not 1 to 64 of `A-Z a-z 0-9 . _ -`, or it is what the log calls those who show
      /// the secret of a session.
      case malformedID
      /// The secret is not 16 to 512 bytes of token68 (RFC 6750, 2.1).
      case malformedSecret
      /// Another key has the id.
      case repeatedID
      /// Another key has the secret, so that nobody could tell whose it is.
      case repeatedSecret
      /// There is no key in the text at all.
      case noKeys
    }

    /// The number of the line, or of the word, from 1 on; 0 for the whole text.
    public let place: Int
    /// What is wrong there.
    public let rule: Rule
  }

  /// Adds the keys of a file: `id:secret`, one a line.
  ///
  /// Empty lines and those that begin with `#` are left out, and so is white space around a key.
  ///
  /// - Throws: ``Fault``, its place the number of a line.
  public mutating func add(lines: [UInt8]) throws(Fault) {
    let texts = lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(\.trimmingWhitespace)
    try add(texts) { $0.isEmpty || $0.first == UInt8(ascii: "#") }
  }

  /// Adds the keys of an environment variable: `id:secret`, white space between them.
  ///
  /// - Throws: ``Fault``, its place the number of a word.
  public mutating func add(words: [UInt8]) throws(Fault) {
    try add(words.split(whereSeparator: \.isWhitespace)) { _ in false }
  }

  private mutating func add(
    _ texts: [ArraySlice<UInt8>],
    leavingOut isNone: (ArraySlice<UInt8>) -> Bool
  ) throws(Fault) {
    let countBefore = keys.count
    for (index, text) in texts.enumerated() where !isNone(text) {
      do throws(KeyRuleBroken) {
        try add(text)
      } catch {
        throw Fault(place: index + 1, rule: error.rule)
      }
    }
    guard keys.count > countBefore else { throw Fault(place: 0, rule: .noKeys) }
  }

  private mutating func add(_ text: ArraySlice<UInt8>) throws(KeyRuleBroken) {
    guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
      throw KeyRuleBroken(rule: .noColon)
    }
    let id = text[..<colon]
    let isTaken = id.elementsEqual(AccessRule.sessionCaller.utf8)
    guard 1...64 ~= id.count, id.allSatisfy(\.isOfKeyID), !isTaken else {
      throw KeyRuleBroken(rule: .malformedID)
    }
    let secret = text[(colon + 1)...]
    guard secret.count >= 16, secret.isToken68, let padded = PaddedSecret(secret) else {
      throw KeyRuleBroken(rule: .malformedSecret)
    }
    let name = String(decoding: id, as: UTF8.self)
    guard !keys.contains(where: { $0.id == name }) else { throw KeyRuleBroken(rule: .repeatedID) }
    guard !keys.contains(where: { $0.secret == padded }) else {
      throw KeyRuleBroken(rule: .repeatedSecret)
    }
    append(Key(id: name, secret: padded))
  }
}

/// A rule that one key breaks.
private struct KeyRuleBroken: Error {
  let rule: AccessKeys.Fault.Rule
}

extension ArraySlice<UInt8> {
  fileprivate var trimmingWhitespace: ArraySlice<UInt8> {
    guard let last = lastIndex(where: { !$0.isWhitespace }) else { return [] }
    return self[...last].drop(while: \.isWhitespace)
  }
}

extension UInt8 {
  /// Whether this is white space of ASCII.
  fileprivate var isWhitespace: Bool { self == UInt8(ascii: " ") || 0x09...0x0d ~= self }

  /// Whether this can stand in the id of a key.
  fileprivate var isOfKeyID: Bool { isASCIIAlphanumeric || "._-".utf8.contains(self) }
}
