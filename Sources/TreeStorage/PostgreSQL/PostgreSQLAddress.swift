internal import TreeDomain

/// The address of a database, as a connection URI, and its text without the password.
struct PostgreSQLAddress: Sendable {
  /// The URI, which may contain the password.
  let uri: String
  private let password: String
  /// The highest timeline that a server has had.
  let timeline = PostgreSQLTimeline()

  /// Checks a URI, with the client library of PostgreSQL.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if the library is missing or does not accept the URI.
  init(_ uri: String) throws(StorageError) {
    if let fault = PostgreSQLSystem.loadLibrary() { throw .failed(fault) }
    // The library's own message may contain a part of the password.
    guard let password = PostgreSQLSystem.password(in: uri) else {
      throw .failed(
        """
        it is no address of a database; write it as postgresql://user@host:5432/database, and \
        special characters of the password as %40 and the like
        """
      )
    }
    self.password = password
    self.uri = uri
  }

  /// Returns a message of the library in one line, without the password.
  func clean(_ message: String) -> String {
    let lines = message.split(separator: "\n").map { $0.filter { $0 != "\t" } }
    let text = lines.joined(separator: "; ")
    return password.isEmpty ? text : text.replacing(password, with: "***")
  }
}

extension PostgreSQLStorage {
  /// The beginnings of a connection URI.
  private static let schemes = ["postgresql://", "postgres://"]

  /// Returns true if a text is the connection URI of a database.
  package static func isAddress(_ text: String) -> Bool {
    schemes.contains { text.hasPrefix($0) }
  }

  /// Returns a connection URI with `***` in the place of each password; any other text as it is.
  package static func masked(_ uri: String) -> String {
    guard let scheme = schemes.first(where: uri.hasPrefix) else { return uri }
    let parts = uri.dropFirst(scheme.count).split(
      separator: "?",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    var text = scheme + maskedUser(parts[0])
    if parts.count > 1 {
      let options = parts[1].split(separator: "&", omittingEmptySubsequences: false)
      text += "?" + options.map(maskedOption).joined(separator: "&")
    }
    return text
  }

  /// Masks the part before the options, in which a password is between the first colon and the last
  /// `@`.
  private static func maskedUser(_ text: Substring) -> String {
    guard let end = text.lastIndex(of: "@"), let colon = text[..<end].firstIndex(of: ":") else {
      return String(text)
    }
    return "\(text[..<colon]):***\(text[end...])"
  }

  private static func maskedOption(_ text: Substring) -> String {
    guard let equals = text.firstIndex(of: "=") else { return String(text) }
    // Names may be percent-encoded, so only options known to be no secret are shown.
    let isPlain = text[..<equals].allSatisfy { $0.isLetter || $0 == "_" }
    let isSecret = !isPlain || text[..<equals].lowercased().contains("password")
    return isSecret ? "\(text[..<equals])=***" : String(text)
  }
}
