import JSON

/// A member of an object, found quickly.
protocol QuickField {
  /// The member of a name, if there is one.
  init?(_ name: PackedName)
  /// Its position in the list of all.
  var position: Int { get }
}

/// What is read of an object's members, which come in any order.
protocol ObjectFields: ~Copyable {
  associatedtype Field: QuickField

  /// The members that were read.
  var seen: SeenMembers { get set }

  /// Reads members as long as they come in the usual order and need no care; none does where
  /// nothing is said of an order.
  mutating func takeUsual(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  )

  /// Reads a value that is written as programs write it.
  ///
  /// - Returns: `false` where it is anything else, or may be refused; then nothing has changed.
  mutating func take(
    _ field: Field,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool
}

/// A place between two members of an object.
struct MemberPlace {
  /// The offset behind the opening brace or the last value.
  var offset: Int
  /// Whether no member stands before it.
  var isAtFirst: Bool
}

extension ObjectFields where Self: ~Copyable {
  mutating func takeUsual(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) {}

  /// Reads a member if it comes next and is written as given, its comma and its colon included.
  ///
  /// - Precondition: It was not read before.
  /// - Returns: `false` where it comes and needs care.
  @inline(__always)
  mutating func takeNext(
    _ field: Field,
    _ written: StaticString,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    var ahead = quick
    guard ahead.pass(written, text) else { return true }
    guard take(field, &ahead, text, limits) else { return false }
    _ = seen.insert(field.position)
    quick = ahead
    return true
  }

  /// Reads members as long as they are written as programs write them.
  ///
  /// - Returns: Whether the object has ended. Otherwise the place is before a member that has to be
  ///   read carefully.
  @inline(never)
  mutating func takeMembers(
    from place: inout MemberPlace,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    guard limits.readsQuickly else { return false }
    var quick = QuickReader(at: place.offset)
    // The usual members but the first are looked for with the comma before them.
    if place.isAtFirst, quick.isBefore(UInt8(ascii: "\""), text) {
      takeUsual(&quick, text, limits)
    }
    var isAtFirst = place.isAtFirst && quick.offset == place.offset
    var hasEnded = false
    while true {
      let offset = quick.offset
      // Most members are not the last.
      if isAtFirst || !quick.pass(UInt8(ascii: ","), text) {
        hasEnded = quick.pass(UInt8(ascii: "}"), text)
        if hasEnded || !isAtFirst { break }
      }
      guard
        let field = quick.name(text).flatMap(Field.init), !seen.contains(field.position),
        take(field, &quick, text, limits)
      else {
        quick.offset = offset
        break
      }
      _ = seen.insert(field.position)
      isAtFirst = false
    }
    place = MemberPlace(offset: quick.offset, isAtFirst: isAtFirst)
    return hasEnded
  }
}
