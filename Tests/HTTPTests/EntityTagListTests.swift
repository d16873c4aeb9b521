import HTTP
import Testing

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
  func `a tag matches as RFC 9110 has it`(values: [String], strongly: Bool, weakly: Bool) {
    #expect(list(values)?.matchesStrongly("7".utf8) == strongly)
    #expect(list(values)?.matchesWeakly("7".utf8) == weakly)
  }

  @Test(arguments: [[], [""], ["7"], ["\"7"], ["\"6\" \"7\""], ["w/\"7\""], ["*, \"7\""], [","]])
  func `what is no list of tags is none`(values: [String]) {
    #expect(list(values) == nil, "\(values)")
  }
}
