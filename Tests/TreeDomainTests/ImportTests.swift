import JSON
import TestSupport
import Testing
import TreeDomain
import TreeEngine

@Suite struct ImportTests {
  /// Decodes chunks in order.
  private func decode(
    _ chunks: [[UInt8]],
    _ limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> Import {
    var decoder = ImportDecoder(limits: limits)
    for chunk in chunks { try decoder.feed(chunk) }
    return try decoder.finish()
  }

  private func notation(_ nodes: Import) -> [String] {
    nodes.parts.flatMap { part in
      part.nodes.map { node in
        let hint = node.hint.map { " of \($0)" } ?? ""
        let above =
          switch node.above {
          case .nothing: "-"
          case .parent(let key): text(part[key])
          case .section(let name): "-/" + text(part[name])
          }
        return "\(node.line) \(text(part[node.key]))=\(text(part[node.object])) "
          + "in \(above):\(node.childState)\(hint)"
      }
    }
  }

  static let lines =
    #"{"key":"a","object":{"x": 1.0},"section":"s"}"# + "\n\r\n \t\n"
    + #" { "parent" : "a" , "key" : "\u0062\n" , "children" : [ ] } "# + "\r\n"
    + #"{"key":"c","parent":null,"children":"unloaded","childCount":7}"# + "\n"
    + #"{"key":"é","object":null,"children":null}"#

  static let expected = [
    #"1 a={"x": 1.0} in -/s:leaf"#, "4 b\n= in a:loaded", "5 c= in -:unloaded of 7",
    "6 é=null in -:leaf",
  ]

  @Test(arguments: ["", "\n", "\n\n"]) func `nodes are read line by line`(
    _ end: String
  ) throws {
    #expect(notation(try decode([utf8(Self.lines + end)])) == Self.expected)
  }

  @Test func `an empty import has no nodes`() throws {
    #expect(try decode([]).parts.isEmpty)
    #expect(try decode([[], utf8("\n \n"), utf8("\t")]).parts.isEmpty)
  }

  @Test func `blank lines are accepted up to the limit of nodes`() throws {
    var limits = DecodingLimits()
    limits.maxNodes = 2
    let node = utf8(#"{"key":"a"}"#)
    let fitting = try decode([utf8("\n \n\n") + node], limits)
    #expect(fitting.parts[0].nodes[0].line == 4)
    for lines in [[utf8("\n\n\n\n\n")], [utf8("\n\n \n\r\n") + node]] {
      let error = #expect(throws: ServiceError.self) { try decode(lines, limits) }
      #expect(error?.code == .contentTooLarge)
      #expect(error?.limit == 4)
      #expect(error?.line == 5)
    }
  }

  @Test func `lines may be split anywhere`() throws {
    let bytes = utf8(Self.lines)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        let chunks = [bytes[..<first], bytes[first..<second], bytes[second...]].map { Array($0) }
        let nodes = try decode(chunks)
        guard notation(nodes) == Self.expected else {
          Issue.record("cut at \(first) and \(second)")
          return
        }
      }
    }
    #expect(notation(try decode(bytes.map { [$0] })) == Self.expected)
  }

  @Test func `many lines are stored in parts with their own bytes`() throws {
    let lines = (0..<60_000).map { number in
      #"{"key":"k\#(number)","parent":"k\#(number / 2)","object":{"title":"Node \#(number)"}}"#
    }
    let bytes = utf8(lines.joined(separator: "\n"))
    let nodes = try decode(
      stride(from: 0, to: bytes.count, by: 64 << 10).map {
        Array(bytes[$0..<min($0 + (64 << 10), bytes.count)])
      }
    )
    #expect(nodes.nodeCount == lines.count)
    #expect(nodes.parts.count > 1)
    #expect(nodes.parts.allSatisfy { !$0.nodes.isEmpty && $0.bytes.count <= 1 << 18 })
    let expected = lines.indices.map { number in
      #"\#(number + 1) k\#(number)={"title":"Node \#(number)"} in k\#(number / 2):leaf"#
    }
    #expect(notation(nodes) == expected)
  }

  static let refused: [(String, ServiceErrorCode, String?, Int?)] = [
    ("{", .malformedJSON, nil, 1), ("{} {}", .malformedJSON, nil, 3),
    ("{}", .invalidRequest, "", nil),
    ("[]", .invalidRequest, "", nil), (#"{"key":""}"#, .invalidRequest, "/key", nil),
    (#"{"key":"a","kye":1}"#, .invalidRequest, "/kye", nil),
    (#"{"key":"a","key":"b"}"#, .invalidRequest, "/key", nil),
    (#"{"key":"a","parent":1}"#, .invalidRequest, "/parent", nil),
    (#"{"key":"a","children":[{"key":"b"}]}"#, .invalidRequest, "/children/0", nil),
    (#"{"key":"a","children":"loading"}"#, .invalidRequest, "/children", nil),
    (#"{"key":"a","childCount":1}"#, .invalidRequest, "/childCount", nil),
    (#"{"key":"a","parent":"b","section":"s"}"#, .invalidRequest, "/section", nil),
    (#"{"key":7,"object":[}"#, .malformedJSON, nil, 19),
  ]

  @Test(arguments: refused) func `the error for an invalid line contains its number`(
    _ line: String,
    _ code: ServiceErrorCode,
    _ pointer: String?,
    _ offset: Int?
  ) throws {
    let good = #"{"key":"g"}"# + "\n\n"
    for text in [good + line, good + line + "\n" + good] {
      for chunks in [[utf8(text)], utf8(text).map { [$0] }] {
        let error = try #require(refusal { () throws(ServiceError) in try decode(chunks) })
        #expect(error.code == code)
        #expect(error.line == 3)
        #expect(error.pointer == pointer)
        #expect(error.byteOffset == offset)
        #expect(error.operation == nil)
      }
    }
  }

  @Test func `every limit is enforced`() throws {
    var limits = DecodingLimits()
    limits.maxObjectBytes = 4
    limits.maxKeyBytes = 2
    limits.maxNodes = 2
    func refused(_ text: String) -> ServiceError? {
      refusal { () throws(ServiceError) in try decode([utf8(text)], limits) }
    }
    #expect(refused(#"{"key":"ab","object":1234}"#) == nil)
    #expect(refused(#"{"key":"abc"}"#)?.pointer == "/key")
    #expect(refused(#"{"key":"ab","object":12345}"#)?.code == .contentTooLarge)
    let three = refused(#"{"key":"a"}"# + "\n" + #"{"key":"b"}"# + "\n" + #"{"key":"c"}"#)
    #expect(three?.code == .contentTooLarge && three?.line == 3 && three?.limit == 2)
    let endless = refusal { () throws(ServiceError) in
      try decode(Array(repeating: utf8("          "), count: 10_000), limits)
    }
    #expect(endless?.code == .contentTooLarge && endless?.line == 1)
  }

  static let exported: [(ChildState, Bool, Int?, String)] = [
    (.leaf, false, nil, ""), (.loaded, true, nil, ""), (.loaded, false, nil, #","children":[]"#),
    (.unloaded, false, nil, #","children":"unloaded""#),
    (.unloaded, false, 5, #","children":"unloaded","childCount":5"#),
    (.loading, false, nil, #","children":"unloaded""#), (.failed, true, nil, ""),
  ]

  @Test(arguments: exported) func `an exported line is read back`(
    _ state: ChildState,
    _ hasChildren: Bool,
    _ hint: Int?,
    _ expected: String
  ) throws {
    var writer = JSONWriter()
    let root = ExportLine(
      key: utf8("a\"")[...],
      parent: nil,
      object: utf8("{\"x\": 1.0}")[...],
      childState: state,
      hasChildren: hasChildren,
      hint: hint,
      section: utf8("s")[...]
    )
    root.write(to: &writer)
    let child = ExportLine(
      key: utf8("b")[...],
      parent: utf8("a\"")[...],
      object: utf8("null")[...],
      childState: .leaf,
      hasChildren: false
    )
    child.write(to: &writer)
    let bytes = writer.finish()
    #expect(
      text(bytes) == #"{"key":"a\"","section":"s","object":{"x": 1.0}\#(expected)}"# + "\n"
        + #"{"key":"b","parent":"a\""}"# + "\n"
    )
    let nodes = try decode([bytes])
    #expect(nodes.parts.first?.nodes.first?.hint.map { Int($0) } == hint)
    #expect(notation(nodes).last == "2 b= in a\":leaf")
  }

  @Test func `damaged lines are read, or refused with their number`() {
    let seed = Seed.fromEnvironment()
    var random = SeededGenerator(seed: seed)
    let alphabet = utf8("{}[]\",:\\0a-.\n ") + [0x00, 0xC3, 0xFF]
    for _ in 0..<Seed.iterations(default: 2_000) {
      var bytes = utf8(Self.lines)
      for _ in 0..<random.number(in: 1...3) {
        bytes[random.number(in: 0...(bytes.count - 1))] = random.choice(alphabet)
      }
      let cut = random.number(in: 0...bytes.count)
      let whole = outcome([bytes])
      #expect(whole == outcome([Array(bytes[..<cut]), Array(bytes[cut...])]), "seed \(seed)")
      if case .failure(let error) = whole {
        #expect(error.line != nil, "seed \(seed)")
        #expect(error.byteOffset != nil || error.pointer != nil, "seed \(seed)")
      }
    }
  }

  private func outcome(_ chunks: [[UInt8]]) -> Result<Import, ServiceError> {
    do throws(ServiceError) { return .success(try decode(chunks)) } catch { return .failure(error) }
  }
}
