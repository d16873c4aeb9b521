extension AccessKeys {
  /// A fault in a text of keys: its position and the broken rule, without any part of the text.
  package struct Fault: Error, Equatable, Sendable {
    /// A rule for the text of a key.
    package enum Rule: Sendable, CaseIterable {
      /// There is no colon between an id and a secret.
      case noColon
      /// The id is not 1 to 64 characters of `A-Z a-z 0-9 . _ -`, or it is `session`, which logs
      /// use for session secrets.
      case malformedID
      /// The secret is not 16 to 512 bytes of token68 (RFC 6750, 2.1).
      case malformedSecret
      /// The text behind the secret is not a list of scopes.
      case unknownScope
      /// Another key has the same secret, so that it would not identify one id.
      case repeatedSecret
      /// The text contains no key.
      case noKeys
    }

    /// The number of the line or word, from 1; 0 for the whole text.
    package let place: Int
    /// The broken rule.
    package let rule: Rule
  }

  /// Adds the keys of a file, one a line: `id:secret` or `id:secret:scopes`.
  ///
  /// Scopes are comma-separated names of ``KeyScope``; the default is ``KeyScope/admin``. Neither
  /// ids nor secrets contain a colon (RFC 6750, 2.1), so each line has one meaning. Empty lines,
  /// lines that begin with `#`, and white space around a key are ignored.
  ///
  /// - Throws: ``Fault`` with the number of a line.
  package mutating func add(lines: [UInt8]) throws(Fault) {
    let texts = lines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map(\.trimmingWhitespace)
    try add(texts) { $0.isEmpty || $0.first == UInt8(ascii: "#") }
  }

  /// Adds the keys of an environment variable, written as in a file and separated by white space.
  ///
  /// - Throws: ``Fault`` with the number of a word.
  package mutating func add(words: [UInt8]) throws(Fault) {
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
    let rest = text[(colon + 1)...]
    let end = rest.firstIndex(of: UInt8(ascii: ":")) ?? rest.endIndex
    let secret = rest[..<end]
    guard secret.count >= 16, secret.isToken68, let padded = PaddedSecret(secret) else {
      throw KeyRuleBroken(rule: .malformedSecret)
    }
    let list = rest[end...].dropFirst()
    guard let scopes = end == rest.endIndex ? [.admin] : KeyScope.list(list) else {
      throw KeyRuleBroken(rule: .unknownScope)
    }
    guard !keys.contains(where: { $0.secret == padded }) else {
      throw KeyRuleBroken(rule: .repeatedSecret)
    }
    let name = String(decoding: id, as: UTF8.self)
    append(Key(id: name, secret: padded, scopes: scopes))
  }
}

extension KeyScope {
  /// Parses a list of scopes; nil if a part of it is not a scope.
  fileprivate static func list(_ text: ArraySlice<UInt8>) -> Set<KeyScope>? {
    var scopes: Set<KeyScope> = []
    for name in text.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
      guard let scope = KeyScope(rawValue: String(decoding: name, as: UTF8.self)) else {
        return nil
      }
      scopes.insert(scope)
    }
    return scopes
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
  /// True if the byte is ASCII white space.
  fileprivate var isWhitespace: Bool { self == UInt8(ascii: " ") || 0x09...0x0d ~= self }

  /// True if the byte is allowed in the id of a key.
  fileprivate var isOfKeyID: Bool { isASCIIAlphanumeric || "._-".utf8.contains(self) }
}
