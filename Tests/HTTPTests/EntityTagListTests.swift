import Testing

@testable import HTTP

@Suite struct EntityTagListTests {
  private func list(_ values: [String]) -> EntityTagList? {
    var fields = Fields()
    for value in values { fields.append(.ifNoneMatch, value) }
    return EntityTagList(fields, .ifNoneMatch)
  }

  @Test(arguments: [
    (["*"], true, true), (["\"7\""], true, true), (["W/\"7\""], false, true),
    (["\"6\", \"7\""], true, true), (["\"6\",,W/\"7\""], false, true),
    (["\"6\"", "\"7\""], true, true),
    (["\"6\""], false, false), (["\"77\""], false, false), (["\"6,7\""], false, false),
    (["\"\""], false, false),
  ])
  func `tags match according to RFC 9110`(values: [String], strongly: Bool, weakly: Bool) {
    let tags = list(values)?.strongTags.map { Array($0) }
    #expect((list(values)?.isAny == true || tags?.contains(Array("7".utf8)) == true) == strongly)
    #expect((list(values)?.coding(ofHeld: "7".utf8, by: AcceptedCodings()) != nil) == weakly)
  }

  @Test func `a list has a limited number of tags`() {
    let tags = Array(repeating: "\"7\"", count: EntityTagList.maxTags).joined(separator: ",")
    #expect(list([tags])?.opaqueTags.count == EntityTagList.maxTags)
    #expect(list([tags, "\"8\""]) == nil)
  }

  @Test(
    arguments: [
      (["\"7-gzip\""], "gzip", "gzip"), (["\"7-gzip\""], "", "gzip"),
      (["\"7\""], "gzip", "identity"),
      (["\"7\", \"7-gzip\""], "gzip", "gzip"), (["\"7-gzip\", \"7\""], "", "identity"),
      (["W/\"7-gzip\""], "gzip", "gzip"), (["*"], "gzip", "identity"),
      (["\"7-gzip-gzip\""], "gzip", nil),
      (["\"-gzip\""], "gzip", nil), (["\"8-gzip\""], "gzip", nil), (["\"7-GZIP\""], "gzip", nil),
    ] as [([String], String, String?)]
  )
  func `a version matches the tag of each coding`(
    values: [String],
    accepted: String,
    coding: String?
  ) {
    var codings = AcceptedCodings()
    codings.read(Array(accepted.utf8)[...])
    let found = list(values)?.coding(ofHeld: "7".utf8, by: codings)
    #expect(found.map { "\($0)" } == coding)
  }

  @Test func `If-Match accepts the tag of any coding`() {
    let tags = list(["\"7-gzip\", W/\"8-gzip\", \"9\""])
    #expect(tags?.strongTags.map { String(decoding: $0, as: UTF8.self) } == ["7", "9"])
  }

  @Test(arguments: [[], [""], ["7"], ["\"7"], ["\"6\" \"7\""], ["w/\"7\""], ["*, \"7\""], [","]])
  func `a malformed list of tags gives nil`(values: [String]) {
    #expect(list(values) == nil, "\(values)")
  }
}
