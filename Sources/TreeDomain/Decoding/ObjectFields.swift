import JSON

/// A member of an object, found quickly.
protocol QuickField {
  /// The member of a name, if there is one.
  init?(_ name: PackedName)
  /// Its position in the list of all.
  var position: Int { get }
}

/// What is read of an object's members, which come in any order.
protocol ObjectFields {
  associatedtype Field: QuickField

  /// The members that were read.
  var seen: SeenMembers { get set }

  /// Reads a value that is written as programs write it, and stands in so many arrays and objects.
  ///
  /// - Returns: `false` where it is anything else, or may be refused; then nothing has changed.
  mutating func take(
    _ field: Field,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    depth: Int,
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

extension ObjectFields {
  /// Reads members as long as they are written as programs write them.
  ///
  /// - Returns: Whether the object has ended. Otherwise the place is before a member that has to be
  ///   read carefully.
  @inline(never)
  mutating func takeMembers(
    from place: inout MemberPlace,
    _ text: Span<UInt8>,
    depth: Int,
    _ limits: DecodingLimits
  ) -> Bool {
    var quick = QuickReader(at: place.offset)
    while limits.readsQuickly {
      // Most members are not the last.
      if place.isAtFirst || !quick.pass(UInt8(ascii: ","), text) {
        if quick.pass(UInt8(ascii: "}"), text) {
          place.offset = quick.offset
          return true
        }
        guard place.isAtFirst else { return false }
      }
      guard
        let field = quick.name(text).flatMap(Field.init), !seen.contains(field.position),
        take(field, &quick, text, depth: depth, limits)
      else { return false }
      _ = seen.insert(field.position)
      place = MemberPlace(offset: quick.offset, isAtFirst: false)
    }
    return false
  }
}
