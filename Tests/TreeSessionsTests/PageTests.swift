import TestSupport
import Testing
import TreeDomain
import TreeSessions

/// Compares the two ways to write a page: from outlines, and from whole rows.
@Suite struct PageTests {
  private static let outlined: [RowFields] = [
    .index, .key, .parent, .depth, .section, .sectionRow, .object,
  ]

  @Test(arguments: [[], [#""Two""#, #""One \"1\"""#]])
  func `a page from outlines equals a page from rows`(_ sections: [String]) throws {
    let seed = Seed.fromEnvironment()
    var random = SeededGenerator(seed: seed)
    let named = sections.joined(separator: ",")
    let session = try StoreUnderTest(sections.isEmpty ? "{}" : #"{"sections":[\#(named)]}"#)
    try session.apply(Self.insertions(in: sections, &random))
    for bits in 0..<(1 << Self.outlined.count) {
      let members = Self.outlined.indices.filter { bits >> $0 & 1 == 1 }.map { Self.outlined[$0] }
      let fields = members.reduce(RowFields()) { $0.union($1) }
      let window = RowQuery.Window.offset(
        random.number(in: 0...150),
        limit: random.number(in: 1...160)
      )
      let page = try session.page(window, fields)
      let told = try session.page(window, fields.union(.selected))
        .replacing(#","selected":false"#, with: "")
        .replacing(#"{"selected":false,"#, with: "{")
        .replacing(#"{"selected":false}"#, with: "{}")
      #expect(page == told, "SEED=\(seed) fields \(fields.rawValue) \(window)")
    }
  }

  @Test func `objects that are not requested cost neither memory nor work`() throws {
    let object = "\"\(String(repeating: "x", count: 500_000))\""
    let nodes = ["a", "b"].map { #"{"key":"\#($0)","object":\#(object)}"# }.joined(separator: ",")
    let session = try StoreUnderTest(#"{"nodes":[\#(nodes)]}"#)
    func query(_ fields: RowFields) -> RowQuery {
      RowQuery(.offset(0, limit: 10), fields: fields)
    }
    let page = try session.store.nonblocking.rows(of: session.id, query([.key, .depth]))
    #expect(page.text.capacity < 10_000)
    let refused = session.store.trial { service throws(ServiceError) in
      _ = try service.rows(of: session.id, query([.key, .object]))
    }
    #expect(refused?.next != nil)
  }

  @Test func `a page that the client has is not written, and errors come first`() throws {
    let session = try StoreUnderTest(#"{"nodes":[{"key":"a"},{"key":"b"}]}"#)
    func page(_ held: [UInt64], offset: Int = 0) throws(ServiceError) -> RowPage {
      let held = RevisionCondition.Revisions.oneOf(held.map { Revision($0) })
      let query = RowQuery(.offset(offset, limit: 10), heldRevisions: held)
      return try session.store.rows(of: session.id, query)
    }
    #expect(try page([7, 0]) == RowPage(heldAt: Revision(0)))
    #expect(try !page([7]).text.isEmpty)
    #expect(refusal { () throws(ServiceError) in _ = try page([0], offset: 3) } != nil)
  }

  /// Returns insertions of nodes with keys of many lengths and objects of many sizes.
  /// Some of the keys have characters that JSON escapes.
  private static func insertions(
    in sections: [String],
    _ random: inout SeededGenerator
  ) -> String {
    let letters = ["a", "b", "é", "😀", "/", #"\""#, #"\\"#, #"\u0001"#]
    var keys: [String] = []
    let operations = (0..<150).map { number in
      let letters = random.oneIn(3) ? letters : ["a", "b"]
      let name = (0..<random.number(in: 0...24)).map { _ in random.choice(letters) }
      let place: String
      if number < 4 {
        place = sections.isEmpty ? "" : #""section":\#(random.choice(sections)),"#
      } else {
        place = #""parent":"\#(random.choice(keys))","#
      }
      keys.append("\(number)\(name.joined())")
      let items = String(repeating: "1,", count: random.number(in: 0...40))
      let object = random.oneIn(4) ? "null" : "[\(items)null]"
      return #"{"op":"insert",\#(place)"key":"\#(keys[number])","object":\#(object)}"#
    }
    return operations.joined(separator: ",")
  }
}

extension StoreUnderTest {
  /// Returns a page as JSON.
  fileprivate func page(
    _ window: RowQuery.Window,
    _ fields: RowFields
  ) throws(ServiceError) -> String {
    let page = try store.rows(of: id, RowQuery(window, fields: fields))
    return String(decoding: page.text, as: UTF8.self)
  }
}
