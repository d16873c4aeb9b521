/// JSON Merge Patch (RFC 7396) on raw text.
///
/// What a patch does not touch keeps its bytes and its place: number forms, escapes, duplicates and
/// white space inside values survive. New members are appended in the order of the patch. A patch
/// that changes nothing gives the very bytes of the target.
public struct MergePatch {
  private let target: MemberTape
  private let patch: MemberTape
  private var writer = JSONWriter()
  /// The objects whose ends are not written, the innermost last.
  private var open: [OpenObject] = []

  /// Merges a patch into a target.
  ///
  /// Of duplicate names the last counts, on both sides; the earlier ones go when it is touched.
  ///
  /// - Parameters:
  ///   - patch: The text of the patch.
  ///   - target: The text to change.
  ///   - maxDepth: How deep arrays and objects may be nested in either of them.
  /// - Returns: The text of the result, without white space around it; the target itself when the
  ///   two differ in nothing else.
  /// - Throws: The first syntax fault of the patch, else of the target.
  /// - Complexity: O(*n* log *n*), where *n* is the length of both texts, without recursion.
  public static func apply(
    _ patch: [UInt8],
    to target: [UInt8],
    maxDepth: Int = JSONReader.defaultMaxDepth
  ) throws(JSONError) -> [UInt8] {
    let patchTape = try MemberTape(patch, maxDepth: maxDepth)
    let targetTape = try MemberTape(target, maxDepth: maxDepth)
    var merge = MergePatch(target: targetTape, patch: patchTape)
    merge.begin(target: 0, patch: 0)
    while !merge.open.isEmpty { merge.proceed() }
    let merged = merge.writer.finish()
    return isSameText(merged, target) ? target : merged
  }

  private init(target: MemberTape, patch: MemberTape) {
    self.target = target
    self.patch = patch
  }

  /// Writes what a value of the patch makes of a value of the target, or of nothing; an object is
  /// only begun.
  private mutating func begin(target object: Int?, patch change: Int) {
    guard patch.entries[change].isObject else {
      writer.raw(patch.value(of: change))
      return
    }
    var changes = Changes(of: change, in: patch)
    let members = object.map(target.members(of:)) ?? []
    let touched = members.map { changes.find(target.name(of: $0)) }
    for (member, change) in zip(members, touched) {
      if let change { changes.setLastTarget(member, of: change) }
    }
    writer.beginObject()
    open.append(OpenObject(members: members, touched: touched, changes: changes))
  }

  /// Writes the next member of the innermost object, or ends it.
  private mutating func proceed() {
    let object = open[open.count - 1]
    open[open.count - 1].next += 1
    let added = object.next - object.members.count
    if added < 0 {
      writeMember(object.next, of: object)
    } else if added < object.added.count {
      let change = object.added[added]
      write(change, over: nil, name: patch.writtenName(of: change))
    } else {
      open.removeLast()
      writer.endObject()
    }
  }

  /// Writes a member that the target has.
  private mutating func writeMember(_ place: Int, of object: OpenObject) {
    let member = object.members[place]
    guard let change = object.touched[place] else {
      writer.member(target.writtenName(of: member), target.value(of: member))
      return
    }
    guard object.changes.lastTarget(of: change) == member else { return }
    write(object.changes.member(change), over: member, name: target.writtenName(of: member))
  }

  /// Writes one changed or new member, unless the patch removes it.
  private mutating func write(_ change: Int, over member: Int?, name: ArraySlice<UInt8>) {
    guard !patch.isNull(change) else { return }
    writer.name(written: name)
    begin(target: member, patch: change)
  }
}

/// An object of the result whose end is not written yet.
private struct OpenObject {
  /// The members that the target has.
  let members: [Int]
  /// For each of them the change that meets it.
  let touched: [Int?]
  let changes: Changes
  /// The members that only the patch has.
  let added: [Int]
  /// How many of all those are written.
  var next = 0

  init(members: [Int], touched: [Int?], changes: Changes) {
    self.members = members
    self.touched = touched
    self.changes = changes
    added = changes.withoutTarget
  }
}

/// The members of one object of a patch, found by name.
private struct Changes {
  private struct Change {
    var name: [UInt8]
    /// The position of the member in the tape of the patch.
    var member: Int
    /// The last member of the target with this name.
    var lastTarget: Int?
  }

  /// Sorted by name, each name once.
  private var changes: [Change] = []

  init(of object: Int, in patch: MemberTape) {
    let all = patch.members(of: object).map { Change(name: patch.name(of: $0), member: $0) }
    // Equal names in their order, so that the last one can replace those before it.
    let sorted = all.sorted {
      $0.name == $1.name ? $0.member < $1.member : $0.name.lexicographicallyPrecedes($1.name)
    }
    for change in sorted {
      if changes.last?.name == change.name { changes.removeLast() }
      changes.append(change)
    }
  }

  /// The place of the change with the given name.
  func find(_ name: [UInt8]) -> Int? {
    var low = 0
    var high = changes.count
    while low < high {
      let middle = (low &+ high) / 2
      if changes[middle].name.lexicographicallyPrecedes(name) {
        low = middle &+ 1
      } else {
        high = middle
      }
    }
    return low < changes.count && changes[low].name == name ? low : nil
  }

  func member(_ change: Int) -> Int { changes[change].member }

  func lastTarget(of change: Int) -> Int? { changes[change].lastTarget }

  mutating func setLastTarget(_ member: Int, of change: Int) {
    changes[change].lastTarget = member
  }

  /// The members of the patch that meet nothing in the target, in the order of the patch.
  var withoutTarget: [Int] {
    changes.filter { $0.lastTarget == nil }.map(\.member).sorted()
  }
}
