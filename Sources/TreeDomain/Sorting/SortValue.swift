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
      let text = Array(subject.object)
      guard let range = pointer.evaluate(in: text, at: text.indices) else {
        self = .null
        return
      }
      self.init(text, at: range, descriptor.comparison)
    }
  }

  private init(_ text: [UInt8], at range: Range<Int>, _ comparison: SortDescriptor.Comparison) {
    var reader = JSONReader(text, in: range)
    do throws(JSONError) {
      switch try reader.peekKind() {
      case .null: self = .null
      case .boolean: self = try reader.readBool() ? .true : .false
      case .number: self = JSONNumber(text[range]).map(SortValue.number) ?? .null
      case .string:
        self = .ofString(try reader.readString().decoded(from: text), comparison)
      case .array, .object: self = .container
      }
    } catch {
      preconditionFailure("the object was not valid JSON")
    }
  }

  private static func ofString(
    _ bytes: [UInt8],
    _ comparison: SortDescriptor.Comparison
  ) -> SortValue {
    if comparison == .number, let number = JSONNumber(bytes[...]) {
      return .number(number)
    }
    return .string(bytes)
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
