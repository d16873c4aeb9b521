import HTTP
import TestSupport

/// One of several that write to one tree, through a session or to the tree itself.
struct Writer {
  private let number: Int
  private let access: any Access
  /// The path that its batches go to.
  private let target: String
  private var random: SeededGenerator
  private var made = 0
  /// The keys of the nodes it has made, of which some are gone by now.
  private var own: [String] = []

  /// A writer of a number, which decides whether it writes through a session.
  init(number: Int, tree: String, _ access: any Access, _ random: SeededGenerator) throws {
    self.number = number
    self.access = access
    self.random = random
    let session = try RemoteSession(access, #"{"tree":"\#(tree)"}"#)
    target = number.isMultiple(of: 2) ? session.path : "/v1/trees/\(tree)"
  }

  /// Sends so many batches and gives those that were applied.
  mutating func run(batches: Int) throws -> [MobileClient.Acknowledged] {
    var acknowledged: [MobileClient.Acknowledged] = []
    for _ in 0..<batches {
      let body = batch()
      let answer = try access.send(Ask(.post, "\(target)/batch", body))
      guard answer.status == 200 else {
        guard [404, 409, 422].contains(answer.status) else { throw WireError(answer.text) }
        continue
      }
      let json = try answer.json()
      guard let revision = (json["treeRevision"] ?? json["revision"])?.integer else {
        throw WireError(answer.text)
      }
      own.append("\(number).\(made)")
      acknowledged.append(MobileClient.Acknowledged(treeRevision: revision, body: body))
    }
    return acknowledged
  }

  /// Operations of which one is sure to change the tree.
  private mutating func batch() -> [UInt8] {
    var operations = (0..<random.number(in: 0...3)).map { _ in operation() }
    // Last, so that nothing after it takes it back.
    operations.append(insertion())
    return Array("{\"operations\":[\(operations.joined(separator: ","))]}".utf8)
  }

  private mutating func insertion() -> String {
    made += 1
    let below = random.oneIn(3) ? #""section":"\#(section())""# : #""parent":"\#(someKey())""#
    let place = made == 1 ? #""section":"A""# : below
    let object = #"{"n":\#(random.number(in: 0...9))}"#
    return #"{"op":"insert","key":"\#(number).\#(made)","object":\#(object),\#(place)}"#
  }

  private mutating func operation() -> String {
    let key = someKey()
    switch random.number(in: 0...7) {
    case 0 where random.oneIn(2): return #"{"op":"remove","key":"\#(key)"}"#
    case 1: return #"{"op":"move","key":"\#(key)","section":"\#(section())"}"#
    case 2: return #"{"op":"move","key":"\#(key)","parent":"\#(someKey())","first":true}"#
    case 3...4:
      return #"{"op":"update","key":"\#(key)","object":{"n":\#(random.number(in: 0...9))}}"#
    case 5: return #"{"op":"moveSection","section":"A","index":\#(random.number(in: 0...1))}"#
    case 6: return ##"{"op":"sort","by":[{"by":"#key","compare":"natural"}]}"##
    default: return #"{"op":"setChildren","key":"\#(key)","children":[{"key":"\#(someKey())"}]}"#
    }
  }

  private mutating func section() -> String { random.oneIn(2) ? "A" : "B" }

  /// A key of its own, mostly, or one that another has made by now or will.
  private mutating func someKey() -> String {
    if let key = random.element(of: own.suffix(6)), !random.oneIn(4) { return key }
    return "\(random.number(in: 0...7)).\(random.number(in: 1...made + 1))"
  }
}
