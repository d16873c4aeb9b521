import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// Checks the limits, the cost and the history of sections.
struct SectionCostTests {
  private func limits(_ change: (inout SessionLimits) -> Void) -> SessionLimits {
    var limits = SessionLimits()
    change(&limits)
    return limits
  }

  private func new(sections: Int) throws -> NewTree {
    let names = (0..<sections).map { #""\#($0)""# }.joined(separator: ",")
    return try NewTree.decode(body: Array(#"{"sections":[\#(names)]}"#.utf8))
  }

  @Test func `a new tree has at most the permitted number of sections`() throws {
    let store = SessionStore(limits: limits { $0.maxSections = 3 })
    let many = try new(sections: 4)
    let refused = refusal { () throws(ServiceError) in _ = try store.createTree(many, nil) }
    #expect(refused?.code == .contentTooLarge && refused?.limit == 3)
    let tree = try store.createTree(new(sections: 3), nil).description
    #expect(tree.sections.count == 3 && tree.nodeCount == 0)
  }

  @Test func `the names of all sections have a limit together`() throws {
    let store = SessionStore(limits: limits { $0.maxSectionNameBytes = 4 })
    let long = try NewTree.decode(body: Array(#"{"sections":["abc","de"]}"#.utf8))
    let refused = refusal { () throws(ServiceError) in _ = try store.createTree(long, nil) }
    #expect(refused?.code == .contentTooLarge && refused?.limit == 4)
    #expect(store.trees(after: nil, limit: 1).trees.isEmpty)
    let session = try StoreUnderTest(#"{"sections":["abc"]}"#, in: store)
    func refusedLimit(_ operation: String) -> Int? {
      refusal { () throws(ServiceError) in _ = try session.apply(operation) }?.limit
    }
    #expect(refusedLimit(#"{"op":"insertSection","section":"de"}"#) == 4)
    #expect(refusedLimit(#"{"op":"renameSection","section":"abc","to":"abcde"}"#) == 4)
    _ = try session.apply(#"{"op":"renameSection","section":"abc","to":"ab"}"#)
    _ = try session.apply(#"{"op":"insertSection","section":"de"}"#)
  }

  @Test func `a page of trees ends before it has more names than an event loop may write`() throws {
    let store = SessionStore(limits: limits { $0.maxSmallBytes = 1_000 })
    let body = Array(#"{"sections":["\#(String(repeating: "s", count: 400))"]}"#.utf8)
    for _ in 0..<3 { _ = try store.createTree(NewTree.decode(body: body), nil) }
    var (after, pages): (TreeID?, [Int]) = (nil, [])
    repeat {
      let page = store.trees(after: after, limit: 10)
      pages.append(page.trees.count)
      after = page.next
    } while after != nil
    #expect(pages == [1, 1, 1])
  }

  @Test func `a tree with many sections is not created by an attempt`() throws {
    let desk = Desk()
    let store = SessionStore(limits: limits { $0.maxSmallNodes = 50 }, schedule: desk.schedule)
    let (few, many) = (try new(sections: 10), try new(sections: 100))
    let refused = store.trial { service throws(ServiceError) in
      _ = try service.createTree(many, nil)
    }
    let job = Job { _ = try? store.answering($0).createTree(many, nil) }
    #expect(try #require(refused?.next).submit(job))
    #expect(store.trees(after: nil, limit: 10).trees.isEmpty)
    desk.work()
    #expect(store.trees(after: nil, limit: 10).trees.map(\.sections.count) == [100])
    #expect(try store.nonblocking.createTree(few, nil).description.sections.count == 10)
  }

  @Test func `an attempt refuses many operations on sections`() throws {
    let store = SessionStore(limits: limits { $0.maxSmallNodes = 2_050 }, schedule: Desk().schedule)
    let tree = try store.createTree(new(sections: 2_000), nil).description.tree
    func rename(_ sections: Int) throws -> TriedCall? {
      let operations = (0..<sections).map {
        #"{"op":"renameSection","section":"\#($0)","to":"new \#($0)"}"#
      }
      let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
      let batch = try Batch.decode(body: Array(body.utf8))
      var options = BatchOptions()
      options.isDryRun = true
      return store.trial { service throws(ServiceError) in
        _ = try service.apply(batch, to: tree, options)
      }
    }
    #expect(try rename(1) == nil)
    #expect(try rename(100)?.next != nil)
  }

  @Test func `the cached sections are those of the tree, after any operations`() throws {
    let store = SessionStore()
    let session = try StoreUnderTest(#"{"sections":["0","1"]}"#, in: store)
    var random = SeededGenerator(seed: 7)
    for step in 0..<400 {
      let (name, other) = (
        Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random)
      )
      let operation =
        switch step % 4 {
        case 0: #"{"op":"insertSection","section":"\#(name)","index":\#(other % 3)}"#
        case 1: #"{"op":"moveSection","section":"\#(name)","index":\#(other)}"#
        case 2: #"{"op":"renameSection","section":"\#(name)","to":"\#(other)"}"#
        default: #"{"op":"removeSection","section":"\#(name)"}"#
        }
      // A refused second operation takes the first one back.
      _ = try? session.apply(operation, #"{"op":"moveSection","section":"\#(other)","index":0}"#)
      try store.find(session.id).withTree(.blocking) { manager throws(ServiceError) in
        let (known, nodes) = (manager.content.sections.list, manager.content.sections.nodes)
        manager.content.readSections()
        #expect(known == manager.content.sections.list, "step \(step)")
        #expect(nodes == manager.content.sections.nodes, "step \(step)")
      }
    }
  }

  @Test func `a limit of rows also limits the kept revisions of many sections`() throws {
    let names = (0..<10).map { #""\#($0)""# }.joined(separator: ",")
    let shared = try SharedStore(
      #"{"sections":[\#(names)]}"#,
      limits: limits { $0.history.totalRows = 35 }
    )
    let session = try shared.session("")
    for step in 0..<6 {
      try shared.apply(#"{"op":"renameSection","section":"\#(step)","to":"new \#(step)"}"#)
    }
    func changes(since revision: UInt64) throws(ServiceError) -> BatchAnswer {
      try shared.store.changes(of: session.id, ChangesQuery(since: Revision(revision)))
    }
    for revision in UInt64(0)..<3 {
      let refused = refusal { () throws(ServiceError) in _ = try changes(since: revision) }
      #expect(refused?.code == .historyExpired, "revision \(revision)")
    }
    for revision in UInt64(3)...6 {
      #expect(try changes(since: revision).changes.count == 6 - Int(revision))
    }
  }
}
