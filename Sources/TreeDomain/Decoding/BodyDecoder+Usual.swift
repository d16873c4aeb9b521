import JSON
import TreeEngine

// The fast reader for operations in their most common form, with members in the usual order.
extension BodyDecoder {
  /// The longest body, in bytes, that is tried as a single operation.
  ///
  /// In a longer body, a long first operation could be read in vain before others turn up.
  private static var mostUsualBytes: Int { 4_096 }

  /// Reads the body of a short batch with exactly one operation.
  ///
  /// - Returns: `false` for anything else and for a body that may be invalid. Nothing has changed
  ///   then.
  mutating func takeUsualBatch() -> Bool {
    let body = cursor.reader.bytes
    let text = body.span
    var quick = QuickReader(at: 0)
    guard
      text.count <= Self.mostUsualBytes,
      cursor.limits.maxOperations > 0, cursor.limits.maxJSONDepth > 2,
      quick.pass(UInt8(ascii: "{"), text), let name = quick.name(text), case "operations" = name,
      quick.pass(UInt8(ascii: "["), text), quick.pass(UInt8(ascii: "{"), text),
      takeUsual(quick, text, depth: 2)
    else { return false }
    quick = QuickReader(at: cursor.offset)
    if quick.pass(UInt8(ascii: "]"), text), quick.pass(UInt8(ascii: "}"), text) {
      quick.passSpace(text)
      if quick.offset == text.count { return true }
    }
    self = BodyDecoder(BodyCursor(body, cursor.limits))
    return false
  }

  /// Reads an operation in its most common form, after its opening brace.
  ///
  /// - Parameters:
  ///   - start: A reader at its first member.
  ///   - text: The body.
  ///   - depth: The number of arrays and objects around it.
  /// - Returns: `false` for anything else and for one that may be invalid. Nothing has changed
  ///   then.
  mutating func takeUsual(_ start: QuickReader, _ text: Span<UInt8>, depth: Int) -> Bool {
    var quick = start
    guard
      cursor.limits.readsQuickly, quick.pass(#""op":"#, text), let name = quick.word(text),
      quick.pass(#","key":"#, text), let key = quick.key(text, cursor.limits),
      take(name, key, &quick, text, depth: depth)
    else { return false }
    cursor.resume(at: quick.offset)
    return true
  }

  @inline(__always)
  private mutating func take(
    _ name: PackedName,
    _ key: ByteSlice,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    depth: Int
  ) -> Bool {
    switch name {
    case "insert": return takeInsertion(key, &quick, text)
    case "update": return takeUpdate(key, &quick, text)
    case "move": return takeMove(key, &quick, text)
    case "setChildren": return takeChildren(key, &quick, text, depth: depth)
    default: return takeShort(name, key, &quick, text)
    }
  }

  /// Reads an operation whose only member is the key.
  private mutating func takeShort(
    _ name: PackedName,
    _ key: ByteSlice,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>
  ) -> Bool {
    guard quick.pass(UInt8(ascii: "}"), text) else { return false }
    switch name {
    case "remove": operations.append(.remove(key: key))
    case "expand": operations.append(.expand(key: key, .count(1)))
    case "collapse": operations.append(.collapse(key: key, .count(1)))
    case "toggle": operations.append(.toggle(key: key, .count(1)))
    case "select": operations.append(.select(.keys(list(key))))
    case "deselect": operations.append(.deselect(.keys(list(key))))
    default: return false
    }
    return true
  }

  @inline(__always)
  private mutating func takeInsertion(
    _ key: ByteSlice,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>
  ) -> Bool {
    guard
      nodes.count < cursor.limits.maxNodes, quick.pass(#","parent":"#, text),
      let parent = quick.parent(text, cursor.limits)
    else { return false }
    var place = Place.default
    if !quick.pass(#","object":"#, text) {
      guard takePlace(&place, &quick, text), quick.pass(#","object":"#, text) else { return false }
    }
    guard let object = object(&quick, text) else { return false }
    if !quick.pass(UInt8(ascii: "}"), text) {
      guard
        place == .default, takePlace(&place, &quick, text), quick.pass(UInt8(ascii: "}"), text)
      else { return false }
    }
    let list = PackedRange(offset: nodes.count, count: 1)
    nodes.append(NewNode(key: key.range, object: object.range, depth: 0, childState: .leaf))
    operations.append(.insert(nodes: list, parent: parent.key, section: nil, place: place))
    return true
  }

  private mutating func takeMove(
    _ key: ByteSlice,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>
  ) -> Bool {
    guard quick.pass(#","parent":"#, text), let parent = quick.parent(text, cursor.limits) else {
      return false
    }
    var place = Place.default
    if !quick.pass(UInt8(ascii: "}"), text) {
      guard takePlace(&place, &quick, text), quick.pass(UInt8(ascii: "}"), text) else {
        return false
      }
    }
    operations.append(.move(keys: list(key), parent: parent.key, section: nil, place: place))
    return true
  }

  private mutating func takeUpdate(
    _ key: ByteSlice,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>
  ) -> Bool {
    let isReplacement = quick.pass(#","object":"#, text)
    guard
      isReplacement || quick.pass(#","merge":"#, text),
      let value = object(&quick, text), quick.pass(UInt8(ascii: "}"), text)
    else { return false }
    operations.append(.update(key: key, isReplacement ? .replace(value) : .merge(value)))
    return true
  }

  private mutating func takeChildren(
    _ key: ByteSlice,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    depth: Int
  ) -> Bool {
    let (start, limits, depth) = (nodes.count, cursor.limits, depth + 3)
    guard start < limits.maxNodes, depth <= limits.maxJSONDepth else { return false }
    // This takes the position that the careful reader reserves for the parent.
    nodes.append(NewNode(key: 0..<0, object: 0..<0, depth: 0, childState: .leaf))
    guard
      quick.pass(#","children":["#, text),
      quick.passList(text, { takeNode(&$0, text, level: 0) }),
      quick.pass(UInt8(ascii: "}"), text)
    else {
      nodes.removeSubrange(start...)
      return false
    }
    let list = PackedRange((start + 1)..<nodes.count)
    operations.append(.setChildren(of: .node(key), .nodes(list)))
    return true
  }

  /// Reads an object or a merge patch of an operation.
  @inline(__always)
  private func object(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>
  ) -> ByteSlice? {
    quick.rawValue(text, cursor.limits)
  }

  /// Reads the place of an inserted or moved node.
  ///
  /// It is mutating like its callers. Otherwise the compiler would copy the decoder.
  private mutating func takePlace(
    _ place: inout Place,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>
  ) -> Bool {
    if quick.pass(#","index":"#, text) {
      guard let index = quick.integer(text) else { return false }
      place = .index(index)
    } else if quick.pass(#","first":true"#, text) {
      place = .first
    } else if quick.pass(#","after":"#, text) {
      guard let key = quick.key(text, cursor.limits) else { return false }
      place = .after(key)
    } else if quick.pass(#","before":"#, text) {
      guard let key = quick.key(text, cursor.limits) else { return false }
      place = .before(key)
    } else {
      return false
    }
    return true
  }
}
