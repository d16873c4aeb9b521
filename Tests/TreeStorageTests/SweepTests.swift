import Testing
import TreeDomain
import TreeStorage

@Suite struct `What nothing refers to` {
  @Test(arguments: Engine.allCases)
  func `many small trees that are deleted are removed together`(engine: Engine) throws {
    let under = try StorageUnderTest(engine)
    for number in 1...100 {
      let tree = TreeNumber(number)
      try under.storage.commit([.makeTree(sample(number, "t")), .append(sample(1), to: tree)])
      try under.storage.commit([.deleteTree(tree)])
    }
    var rounds = 0
    while try under.storage.sweep(limit: 200) { rounds += 1 }
    #expect(rounds <= 3, "entries, sessions and the tree's own row are three rows a tree at most")
    #expect(try under.storage.sharedTrees().isEmpty)
  }
}
