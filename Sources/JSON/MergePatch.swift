/// JSON Merge Patch (RFC 7396) on raw text.
///
/// Unchanged parts keep their bytes and order: number forms, escapes, duplicates, and white space
/// inside values. New members are appended in the order of the patch. A patch that changes nothing
/// returns the bytes of the target.
public struct MergePatch {
  private let target: MemberTape
  private let patch: MemberTape
  private var writer = JSONWriter()
  /// The objects of the result that are still open, the innermost last.
  private var open: [OpenObject] = []

  /// Applies a patch to a target.
  ///
  /// Among duplicate names the last one counts, in the patch and in the target. Changing a member
  /// removes its earlier duplicates.
  ///
  /// - Parameters:
  ///   - patch: The text of the patch.
  ///   - target: The text to change.
  ///   - maxDepth: The maximum nesting of arrays and objects in either text.
  /// - Returns: The result without white space around it. It is `target` itself if both differ only
  ///   in white space between tokens.
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

  /// Writes the result of applying a patch value to a target value, if there is one.
  ///
  /// An object is only opened.
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

  /// Writes the next member of the innermost open object, or closes it.
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

  /// Writes a member of the target, changed or unchanged.
  private mutating func writeMember(_ place: Int, of object: OpenObject) {
    let member = object.members[place]
    guard let change = object.touched[place] else {
      writer.member(target.writtenName(of: member), target.value(of: member))
      return
    }
    guard object.changes.lastTarget(of: change) == member else { return }
    write(object.changes.member(change), over: member, name: target.writtenName(of: member))
  }

  /// Writes a changed or new member, unless the patch removes it.
  private mutating func write(_ change: Int, over member: Int?, name: ArraySlice<UInt8>) {
    guard !patch.isNull(change) else { return }
    writer.name(written: name)
    begin(target: member, patch: change)
  }
}

/// An object of the result that is still open.
private struct OpenObject {
  /// The target's members, as positions in its tape.
  let members: [Int]
  /// The change to each of those members, or `nil`.
  let touched: [Int?]
  let changes: Changes
  /// The members of the patch that the target does not have.
  let added: [Int]
  /// The index of the next member to write: first those of the target, then the added ones.
  var next = 0

  init(members: [Int], touched: [Int?], changes: Changes) {
    self.members = members
    self.touched = touched
    self.changes = changes
    added = changes.withoutTarget
  }
}

/// The members of one object of a patch, looked up by name.
private struct Changes {
  private struct Change {
    var name: [UInt8]
    /// The position of the member in the patch's tape.
    var member: Int
    /// The last member of the target with this name, if any.
    var lastTarget: Int?
  }

  /// The changes sorted by name, without duplicates.
  private var changes: [Change] = []

  init(of object: Int, in patch: MemberTape) {
    let all = patch.members(of: object).map { Change(name: patch.name(of: $0), member: $0) }
    // Sorted by position within equal names, so that the last duplicate replaces the others.
    let sorted = all.sorted {
      $0.name == $1.name ? $0.member < $1.member : $0.name.lexicographicallyPrecedes($1.name)
    }
    for change in sorted {
      if changes.last?.name == change.name { changes.removeLast() }
      changes.append(change)
    }
  }

  /// Returns the index of the change with a name, or `nil`.
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

  /// The members of the patch that the target does not have, in the order of the patch.
  var withoutTarget: [Int] {
    changes.filter { $0.lastTarget == nil }.map(\.member).sorted()
  }
}
