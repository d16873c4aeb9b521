import TestSupport
import Testing
import TreeDomain

@Suite struct NameTableTests {
  static let names = ["q", "childState", "childCount", "section", "sectionRow", "revision"]

  @Test func `each name is found at its place`() {
    let table = NameTable(Self.names)
    for (place, name) in Self.names.enumerated() {
      // Somewhere in other bytes, as a slice is.
      #expect(table.place(of: utf8("=" + name + "&")[1..<(1 + name.utf8.count)]) == place)
    }
  }

  @Test(arguments: ["", "Q", "qq", "childStat", "childStates", "sectionR", "revisions", "sectio"])
  func `what begins or ends like a name is none`(_ name: String) {
    #expect(NameTable(Self.names).place(of: utf8(name)[...]) == nil)
  }
}
