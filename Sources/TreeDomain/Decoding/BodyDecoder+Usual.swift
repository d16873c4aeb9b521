import JSON
import TreeEngine

// Operations that are written as programs write them, each with its members in the usual order.
extension BodyDecoder {
  /// A longer body may have a long first operation and others behind it, and it would be long until
  /// that is known: it is worth reading once only.
  private static var mostUsualBytes: Int { 4_096 }

  /// Reads the body of a batch that has one operation and nothing else, and is short.
  ///
  /// - Returns: `false` where anything else comes, or may be refused; then nothing has changed.
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

  /// Reads an operation whose brace was passed, and makes it without a look at what else it might
  /// have been.
  ///
  /// - Parameters:
  ///   - start: Where its first member is.
  ///   - text: The body.
  ///   - depth: How many arrays and objects it stands in.
  /// - Returns: `false` where anything else comes, or may be refused; then nothing has changed.
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

  /// Reads what has no member but the key.
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
    // In the place of the node that is reserved where it is not known yet whose children these are.
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

  /// Reads the place that an operation asks for.
  ///
  /// It is mutating as its callers are, for whom the compiler would copy the decoder otherwise.
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
