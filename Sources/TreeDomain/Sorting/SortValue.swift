import JSON

/// A value as an order sees it: its rank among the types, and what compares within the rank.
enum SortValue: Sendable {
  case null
  case `false`
  case `true`
  case number(JSONNumber)
  case string([UInt8])
  case container

  /// Reads what a criterion looks at; absent values count as null.
  init(of subject: SortOrder.Subject, by descriptor: SortDescriptor) {
    switch descriptor.subject {
    case .key:
      self = .ofString(Array(subject.key), descriptor.comparison)
    case .value(let pointer):
      let range = pointer.evaluate(in: subject.object)
      self = range.map { SortValue(subject.object[$0], descriptor.comparison) } ?? .null
    }
  }

  /// Reads a valid JSON value.
  ///
  /// What is kept of it is copied: a slice of bytes that somebody is about to change would make
  /// them copy all.
  private init(_ value: ArraySlice<UInt8>, _ comparison: SortDescriptor.Comparison) {
    switch ValueText(value) {
    case .string(let text): self = .ofString(Array(text), comparison)
    case .number(let number): self = JSONNumber(Array(number)[...]).map(SortValue.number) ?? .null
    case .other:
      switch value.first(where: { $0 > 0x20 }) {
      case UInt8(ascii: "n"): self = .null
      case UInt8(ascii: "f"): self = .false
      case UInt8(ascii: "t"): self = .true
      default: self = .container
      }
    }
  }

  private static func ofString(
    _ bytes: [UInt8],
    _ comparison: SortDescriptor.Comparison
  ) -> SortValue {
    if comparison == .number, let number = JSONNumber(bytes[...]) {
      return .number(number)
    }
    return .string(comparison == .caseInsensitive ? TextOrder.lowercased(bytes) : bytes)
  }

  /// Orders values as far as a number can: the lesser comes first, equal ones are to be compared.
  func rank(by comparison: SortDescriptor.Comparison) -> UInt64 {
    let within: UInt64 =
      switch self {
      case .number(let number): number.rank
      case .string(let text): TextOrder.rank(text, comparison)
      case .null, .false, .true, .container: 0
      }
    return UInt64(rank) << 60 | within
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .false: 1
    case .true: 2
    case .number: 3
    case .string: 4
    case .container: 5
    }
  }

  /// -1, 0 or 1.
  static func compare(
    _ left: SortValue,
    _ right: SortValue,
    _ comparison: SortDescriptor.Comparison
  ) -> Int {
    switch (left, right) {
    case (.number(let left), .number(let right)): left.compared(to: right)
    case (.string(let left), .string(let right)): TextOrder.compare(left, right, comparison)
    default: (left.rank - right.rank).signum()
    }
  }
}
