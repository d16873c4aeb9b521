import TestSupport
import Testing
import TreeDomain

@Suite struct NameTableTests {
  static let names = ["q", "childState", "childCount", "section", "sectionRow", "revision"]

  @Test func `each name is found at its index`() {
    let table = NameTable(Self.names)
    for (place, name) in Self.names.enumerated() {
      // The name is a slice of a longer array.
      #expect(table.place(of: utf8("=" + name + "&")[1..<(1 + name.utf8.count)]) == place)
    }
  }

  @Test(arguments: ["", "Q", "qq", "childStat", "childStates", "sectionR", "revisions", "sectio"])
  func `a text that only starts or ends like a name is not found`(_ name: String) {
    #expect(NameTable(Self.names).place(of: utf8(name)[...]) == nil)
  }
}
