import Foundation

import struct TestSupport.SeededGenerator
@testable import TreeClient

/// An app on a bad line, one of several on a shared tree: what it writes, and what it may learn.
struct MobileClient: Sendable {
  /// A batch that was answered with success.
  struct Acknowledged: Sendable {
    /// The revision it gave the tree.
    var treeRevision: Int
    var body: [UInt8]
  }

  /// Requests are sent again until they are answered.
  static let patience = RequestOptions(attempts: .max)

  let name: String
  let line: BadLine
  let session: TreeSession
  var random: SeededGenerator
  private(set) var acknowledged: [Acknowledged] = []
  private(set) var refusals = 0
  private var made = 0

  /// Makes a client with a session; its number and the seed decide all that it does.
  init(number: Int, port: UInt16, seed: UInt64, _ options: SessionOptions) async throws {
    name = "c\(number)"
    random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
    line = BadLine(port: port, seed: random.next())
    let opened = NewSession(tree: "shared", options)
    session = try await line.client().createSession(opened, Self.patience)
  }

  // MARK: Writing

  /// The answer to a batch, or its refusal.
  typealias Outcome = Result<ChangeList<JSONValue>, TreeProblem>

  /// Sends a batch.
  func send(_ operations: [TreeOperation], _ options: ChangeOptions) async throws -> Outcome {
    do {
      return .success(try await session.batch(operations, options))
    } catch let problem as TreeProblem {
      return .failure(problem)
    }
  }

  /// Notes the outcome of a batch.
  ///
  /// - Returns: The answer; nil if it was refused, as others had changed what it names.
  /// - Throws: The problem, if it is another one.
  @discardableResult
  mutating func record(
    _ outcome: Outcome,
    of operations: [TreeOperation]
  ) throws -> ChangeList<JSONValue>? {
    switch outcome {
    case .success(let list):
      acknowledged.append(try Acknowledged(operations, at: list.treeRevision))
      return list
    case .failure(let problem):
      try Self.expectRefusal(problem)
      refusals += 1
      return nil
    }
  }

  /// Throws a problem, unless it is a refusal of an operation: others may have removed what it
  /// names, or moved it.
  static func expectRefusal(_ problem: TreeProblem) throws {
    guard [404, 409, 422].contains(problem.status), problem.operation != nil else { throw problem }
  }

  // MARK: Random choices

  /// Returns operations of which one brings a new node, so that they cannot be applied without
  /// being counted.
  mutating func batch(_ keys: [String]) -> [TreeOperation] {
    let others = (0..<random.number(in: 0...2)).map { _ in operation(keys) }
    // Last, so that nothing after it takes it back.
    return others + [insertion(into: random.oneIn(3) ? nil : key(of: keys))]
  }

  /// Returns the insertion of a new node; without a parent, none that could be refused.
  mutating func insertion(into parent: String?) -> TreeOperation {
    made += 1
    var node = NewNode("\(name).\(made)", object: ["n": .integer(made % 7)])
    if parent == nil { node.section = random.choice(["A", "B"]) }
    return .insert(node, into: parent, at: random.oneIn(3) ? .first : nil)
  }

  /// Returns an option to change, which changes rows of its own alone.
  mutating func options() -> SessionOptions {
    switch random.number(in: 0...9) {
    case 0: return SessionOptions(order: .breadthFirst)
    case 1: return SessionOptions(order: .depthFirst)
    case 2: return SessionOptions(filter: .some(nil))
    case 3: return SessionOptions(viewSort: [TreeSortDescriptor(by: "/n")])
    case 4: return SessionOptions(viewSort: .some(nil))
    case 5:
      let least = JSONValue.integer(random.number(in: 0...5))
      return SessionOptions(filter: TreeFilter.value(by: "/n", .above(least)))
    case 6: return SessionOptions(expansion: .levels(2))
    case 7:
      let filters: [TreeFilter] = [
        .value(by: "#key", .contains("1")), .value(by: "/by", .equals("c0")),
      ]
      return SessionOptions(filter: TreeFilter.any(filters))
    case 8: return SessionOptions(selection: .single)
    default: return SessionOptions(selection: .multiple, accordion: true)
    }
  }

  private mutating func operation(_ keys: [String]) -> TreeOperation {
    let key = key(of: keys)
    switch random.number(in: 0...13) {
    case 0: return .remove(key)
    case 1:
      let place = random.oneIn(3) ? TreeOperation.Place.first : nil
      guard random.oneIn(3) else { return .move(key, into: self.key(of: keys), at: place) }
      return .move(key, into: nil, at: place, section: random.choice(["A", "B"]))
    case 2: return .update(key, object: ["n": .integer(made % 9)])
    case 3: return .update(key, merging: ["by": .string(name)])
    case 4: return .toggle(key)
    case 5: return .select(.key(key))
    case 6: return .reveal(key, selecting: true)
    case 7: return .setChildren(of: key, .loading())
    case 8: return .setChildren(of: key, .nodes([NewNode(self.key(of: keys))]))
    case 9: return .moveSection("A", to: random.number(in: 0...1))
    case 10: return random.oneIn(2) ? .expandSection("B") : .collapseSection("B")
    case 11: return .sort(by: [TreeSortDescriptor(by: "#key", compare: .natural)])
    case 12: return random.oneIn(2) ? .expandAll : .collapseAll
    default: return .expand(key, levels: .count(2))
    }
  }

  /// Returns one of the keys, which may be gone by now.
  mutating func key(of keys: [String]) -> String { random.element(of: keys) ?? "nobody" }
}

extension MobileClient.Acknowledged {
  /// A batch that gave the tree a revision.
  init(_ operations: [TreeOperation], at treeRevision: Int) throws {
    self.init(treeRevision: treeRevision, body: try Self.body(of: operations))
  }

  /// Returns the content of a request with operations.
  static func body(of operations: [TreeOperation]) throws -> [UInt8] {
    Array(try JSONEncoder().encode(["operations": operations]))
  }
}
