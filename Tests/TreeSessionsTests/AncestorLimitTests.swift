import Testing
import TreeDomain
import TreeSessions

/// Limits of the number and the size of ancestors in one answer, which has the nearest ones.
@Suite struct AncestorLimitTests {
  private static let depth = 60

  /// Makes a session with a chain of nodes, whose keys begin with a prefix.
  private func chain(
    _ prefix: String = "",
    object: String = "1",
    maxBytes: Int = 4_096
  ) throws -> StoreUnderTest {
    var limits = SessionLimits()
    (limits.maxAncestors, limits.maxAncestorBytes) = (20, maxBytes)
    let session = try StoreUnderTest("{}", limits: limits)
    for level in 0...Self.depth {
      let parent = level == 0 ? "null" : "\"\(prefix)\(level - 1)\""
      try session.apply(
        #"{"op":"insert","key":"\#(prefix)\#(level)","parent":\#(parent),"object":\#(object)}"#
      )
    }
    return session
  }

  private func depths(_ text: [UInt8]) -> [Int] {
    let parts = String(decoding: text, as: UTF8.self).split(separator: #""depth":"#)
    return parts.dropFirst().compactMap { part in Int(part.prefix { $0.isNumber }) }
  }

  private func path(
    _ session: StoreUnderTest,
    _ key: String,
    _ fields: RowFields? = nil
  ) throws -> [UInt8] {
    let key = Array(key.utf8)
    return try session.store.ancestors(
      of: key,
      of: session.id,
      fields: fields,
      expectedRevision: nil
    ).ancestors
  }

  private func page(_ session: StoreUnderTest, _ query: AncestorQuery) throws -> [UInt8] {
    var rows = RowQuery(.offset(Self.depth, limit: 1), fields: [.key])
    rows.ancestors = query
    return try session.store.rows(of: session.id, rows).text
  }

  @Test func `the nearest ancestors are listed, and further requests list the rest`() throws {
    let session = try chain(maxBytes: 100_000)
    for fields in [nil, [.key, .depth]] as [RowFields?] {
      var read: [Int] = []
      var next = Self.depth
      while next > 0 {
        let part = depths(try path(session, "\(next)", fields))
        #expect(part.count == 20)
        read = part + read
        next = try #require(part.first)
      }
      #expect(read == Array(0..<Self.depth))
      let above = AncestorQuery(limit: 1_000, fields: fields)
      #expect(depths(try page(session, above)) == Array(40..<60))
    }
    #expect(depths(try page(session, AncestorQuery(limit: 3))) == [57, 58, 59])
  }

  @Test(arguments: [String(repeating: "k", count: 500), String(repeating: "\\u0001", count: 100)])
  func `the nearest ancestors are listed up to a number of bytes`(_ prefix: String) throws {
    let session = try chain(prefix)
    let key = prefix.hasPrefix("k") ? prefix : String(repeating: "\u{1}", count: 100)
    for fields in [nil, [.key, .depth]] as [RowFields?] {
      for text in [
        try path(session, key + "60", fields), try page(session, AncestorQuery(fields: fields)),
      ] {
        let given = depths(text)
        #expect(!given.isEmpty && given.last == 59 && given == Array((60 - given.count)..<60))
        #expect(given.count < 8 && text.count < 6_000)
      }
    }
  }

  @Test func `the nearest ancestor is listed whatever its size`() throws {
    let session = try chain(object: "\"\(String(repeating: "x", count: 10_000))\"")
    #expect(depths(try path(session, "60", [.depth, .object])) == [59])
    #expect(depths(try page(session, AncestorQuery(fields: [.depth, .object]))) == [59])
  }
}
