import JSON

/// A member of an object that the fast reader knows.
protocol QuickField {
  /// Returns the member with a name, or `nil`.
  init?(_ name: PackedName)
  /// The position of the member in its table.
  var position: Int { get }
}

/// The members of an object that were read, in any order.
protocol ObjectFields: ~Copyable {
  associatedtype Field: QuickField

  /// The set of members that were read.
  var seen: SeenMembers { get set }

  /// Reads members that come in the most common order and need no careful reading.
  ///
  /// The default reads none.
  mutating func parseQuickly(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  )

  /// Reads a value in the form in which programs write it.
  ///
  /// - Returns: `false` for any other value and for one that may be invalid. The fields have not
  ///   changed then.
  mutating func parseValue(
    _ field: Field,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool
}

/// A position between two members of an object.
struct MemberPlace {
  /// The offset after the opening brace or after the last value.
  var offset: Int
  /// True if no member comes before it.
  var isAtFirst: Bool
}

extension ObjectFields where Self: ~Copyable {
  mutating func parseQuickly(
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) {}

  /// Reads a member if it comes next exactly as written, with its comma and colon.
  ///
  /// - Precondition: It was not read before.
  /// - Returns: `false` if it comes next and must be read carefully.
  @inline(__always)
  mutating func parseNext(
    _ field: Field,
    _ written: StaticString,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    var ahead = quick
    guard ahead.pass(written, text) else { return true }
    guard parseValue(field, &ahead, text, limits) else { return false }
    _ = seen.insert(field.position)
    quick = ahead
    return true
  }

  /// Reads members as long as they have the form in which programs write them.
  ///
  /// - Returns: `true` if the object has ended. Otherwise `place` is before a member that must be
  ///   read carefully.
  @inline(never)
  mutating func parseMembers(
    from place: inout MemberPlace,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    guard limits.readsQuickly else { return false }
    var quick = QuickReader(at: place.offset)
    // Common members are matched with the comma before them, except the first.
    if place.isAtFirst, quick.isBefore(UInt8(ascii: "\""), text) {
      parseQuickly(&quick, text, limits)
    }
    var isAtFirst = place.isAtFirst && quick.offset == place.offset
    var hasEnded = false
    while true {
      let offset = quick.offset
      // Most members are not the last one.
      if isAtFirst || !quick.pass(UInt8(ascii: ","), text) {
        hasEnded = quick.pass(UInt8(ascii: "}"), text)
        if hasEnded || !isAtFirst { break }
      }
      guard
        let field = quick.name(text).flatMap(Field.init), !seen.contains(field.position),
        parseValue(field, &quick, text, limits)
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

/// The members that an object of a request may have.
struct FieldTable<Field: CaseIterable & Sendable>: Sendable {
  /// The fields, by position.
  let fields: [Field]
  /// The names of the fields, prepared for fast lookup.
  let names: MemberNames
  /// The names of the fields, by position.
  let texts: [String]

  /// Makes the table of all cases.
  init(_ name: (Field) -> String) {
    fields = Array(Field.allCases)
    texts = fields.map(name)
    names = MemberNames(texts)
  }

  init() where Field: RawRepresentable, Field.RawValue == String {
    self.init(\.rawValue)
  }
}
