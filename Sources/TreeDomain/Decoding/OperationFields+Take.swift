import JSON

extension OperationFields {
  @inline(__always)
  mutating func take(
    _ field: OperationField,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    switch field {
    case .op:
      guard let word = quick.word(text).flatMap(OperationName.init) else { return false }
      name = word
    case .key:
      if !quick.null(text) {
        guard let given = quick.key(text, limits) else { return false }
        key = given
      }
      hasKey = true
    case .parent:
      guard let parent = quick.parent(text, limits) else { return false }
      self.parent = parent
    case .object:
      guard let value = quick.rawValue(text, limits) else { return false }
      object = value
    case .merge:
      guard let value = quick.rawValue(text, limits) else { return false }
      merge = value
    case .section:
      guard let name = quick.sectionName(text) else { return false }
      section = name
    case .subtree:
      guard let key = quick.key(text, limits) else { return false }
      subtree = key
    case .select:
      guard let selects = quick.boolean(text) else { return false }
      self.selects = selects
    case .levels:
      guard let levels = quick.levels(text) else { return false }
      self.levels = levels
    case .childCount:
      // The fast reader reads so few digits that the number fits into 32 bits.
      guard let count = quick.integer(text) else { return false }
      childCount = Int32(truncatingIfNeeded: count)
    case .index, .before, .after, .first: return takePlace(field, &quick, text, limits)
    case .keys, .children, .sort, .by, .to: return false
    }
    return true
  }

  @inline(__always)
  private mutating func takePlace(
    _ field: OperationField,
    _ quick: inout QuickReader,
    _ text: Span<UInt8>,
    _ limits: DecodingLimits
  ) -> Bool {
    guard case .default = place else { return false }
    switch field {
    case .index:
      guard let index = quick.integer(text) else { return false }
      place = .index(index)
    case .first:
      guard quick.boolean(text) == true else { return false }
      place = .first
    default:
      guard let key = quick.key(text, limits) else { return false }
      place = field == .before ? .before(key) : .after(key)
    }
    return true
  }
}
