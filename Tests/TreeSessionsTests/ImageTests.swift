import TestSupport
import Testing
import TreeDomain
import TreeEngine

@testable import TreeSessions

/// Images of a tree with its sessions: damaged ones are refused, and restored memory is counted.
struct ImageTests {
  /// Returns the image of a tree with sessions of all options, history and answers for retries.
  private func sample() throws -> (image: [UInt8], bytes: Int) {
    let store = SessionStore()
    let body = #"{"tree":"t","sections":["A","B"],"sort":[{"by":"/n"}],"nodes":[{"key":"a"}]}"#
    _ = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil)
    for options in [
      #"{"tree":"t"}"#,
      #"{"tree":"t","filter":{"by":"/n","above":1},"order":"breadthFirst","accordion":true,"#
        + #""viewSort":[{"by":"/n","direction":"descending"}],"#
        + #""access":"view"}"#,
      #"{"tree":"t","expansion":2,"selection":"single","nestedExpansion":"forget","#
        + #""access":"view"}"#,
    ] {
      let session = try StoreUnderTest(options, in: store)
      for number in 0..<5 {
        var batch = BatchOptions()
        let token = Array("k\(number)".utf8)
        batch.idempotency = IdempotencyKey(token: token, fingerprint: UInt64(number))
        let key = "\(options.count)-\(number)"
        try session.apply(
          #"{"op":"insert","key":"\#(key)","object":{"n":\#(number)},"parent":"a"}"#,
          #"{"op":"select","key":"\#(key)"}"#,
          options: batch
        )
      }
      let rename = #"{"op":"renameSection","section":"B","to":"C\#(options.count)"}"#
      try session.apply(rename, #"{"op":"renameSection","section":"C\#(options.count)","to":"B"}"#)
      _ = refusal { () throws(ServiceError) in try session.apply(#"{"op":"remove","key":"x"}"#) }
    }
    let id = try #require(TreeID(validating: "t".utf8))
    var image = try store.find(id).withTree(.blocking) { manager in
      let sessions = manager.sessions.values.sorted { $0.view.number < $1.view.number }
      _ = manager.putToSleep(sessions.prefix(2).map(\.id), unusedSince: .max)
      return ManagerImage(of: manager)
    }
    return (image.next(atLeast: .max), store.core.usage.bytes)
  }

  private func restored(
    _ bytes: ArraySlice<UInt8>,
    _ usage: Usage = Usage()
  ) throws(ImageError) -> TreeManager {
    var reader = ManagerImageReader(limits: SessionLimits(), usage: usage)
    try reader.feed(bytes)
    return try reader.finish()
  }

  private func isImage(_ bytes: ArraySlice<UInt8>) -> Bool {
    do throws(ImageError) {
      var manager = try restored(bytes)
      // A filter would read objects, which are not checked.
      for (id, sleeping) in manager.asleep.sessions where sleeping.options.options.filter == nil {
        let error = refusal { () throws(ServiceError) in _ = try manager.session(id) }
        #expect(error == nil)
      }
      manager.content.tree.checkInvariants()
      return true
    } catch {
      return false
    }
  }

  @Test func `a restored tree counts the same memory`() throws {
    let (image, bytes) = try sample()
    let usage = Usage()
    let manager = try restored(image[...], usage)
    // Removed and replaced content is not in the image.
    #expect((1...bytes).contains(usage.bytes))
    #expect(usage.bytes == manager.held.engine.content + manager.content.account.replayBytes)
    #expect(manager.sessions.count == 1 && manager.asleep.sessions.count == 2)
    #expect(manager.sessions.values.allSatisfy { $0.options.access == .view })
    let asleep = manager.asleep.sessions.values.map(\.options.options.access)
    #expect(Set(asleep) == [.view, .write])
  }

  @Test func `a part of an image is refused`() throws {
    let (image, _) = try sample()
    #expect(isImage(image[...]))
    for count in image.indices { #expect(!isImage(image.prefix(count)), "\(count)") }
  }

  @Test(arguments: Seed.seeds(count: 3))
  func `an image with flipped bytes is refused, or gives a sound tree`(seed: UInt64) throws {
    let (image, _) = try sample()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<Seed.operations(default: 500) {
      var changed = image
      let place = random.number(in: 0...(image.count - 1))
      changed[place] = random.oneIn(2) ? .random(in: 0...255, using: &random) : 0xFF
      _ = isImage(changed[...])
    }
  }

  @Test func `a leaf that was toggled before there was a filter is not toggled`() throws {
    let store = SessionStore()
    let nodes = #"{"tree":"t","nodes":[{"key":"a","children":[{"key":"b"}]},{"key":"c"}]}"#
    _ = try store.createTree(NewTree.decode(body: Array(nodes.utf8)), nil)
    let session = try StoreUnderTest(#"{"tree":"t"}"#, in: store)
    try session.apply(#"{"op":"collapse","key":"a"}"#)
    let filter = ##"{"filter":{"by":"#key","above":""}}"##
    let decoded = try SessionPatch.decode(body: Array(filter.utf8))
    _ = try store.patchSession(session.id, decoded, BatchOptions())
    try session.apply(#"{"op":"setChildren","key":"a","children":null}"#)
    let id = try #require(TreeID(validating: "t".utf8))
    var image = try store.find(id).withTree(.blocking) { ManagerImage(of: $0) }
    #expect(isImage(image.next(atLeast: .max)[...]))
    try session.apply(#"{"op":"insert","key":"d","parent":"a"}"#)
    let none = try SessionPatch.decode(body: Array(#"{"filter":null}"#.utf8))
    _ = try store.patchSession(session.id, none, BatchOptions())
    #expect(try session.keys() == ["a", "d", "c"])
  }

  private typealias Answer = Result<Creation, ServiceError>

  @Test func `results of creations survive encoding`() throws {
    let store = SessionStore()
    let body = ##"{"tree":"t","sections":["A"],"sort":[{"by":"#key","compare":"natural"}]}"##
    let tree = try store.createTree(NewTree.decode(body: Array(body.utf8)), nil).description
    let session = try StoreUnderTest(#"{"filter":{"not":{"all":[]}},"access":"view"}"#, in: store)
    let description = try store.session(session.id, expectedRevision: nil)
    var writer = ByteWriter()
    Answer.success(.tree(tree)).write(to: &writer)
    Answer.success(.session(description)).write(to: &writer)
    Answer.failure(.treeNotFound).write(to: &writer)
    var reader = ByteReader(writer.bytes[...])
    guard case .success(.tree(let treeAgain)) = try Answer(reading: &reader),
      case .success(.session(let sessionAgain)) = try Answer(reading: &reader),
      case .failure(let refusalAgain) = try Answer(reading: &reader)
    else { throw ImageError.damaged }
    #expect(reader.isAtEnd)
    #expect(treeAgain == tree)
    #expect(sessionAgain == description)
    #expect(refusalAgain.code == .treeNotFound)
  }

  @Test func `a refusal survives encoding`() throws {
    var refusal = ServiceError(.duplicateKey, "Choose another.", key: "k\u{e9}".utf8)
    refusal.operation = 3
    refusal.line = 1 << 40
    refusal.revision = Revision(7)
    var writer = ByteWriter()
    refusal.write(to: &writer)
    var reader = ByteReader(writer.bytes[...])
    #expect(try ServiceError(reading: &reader) == refusal)
  }
}
