/// A sort descriptor of the contract.
package struct ModelSort: Sendable, Equatable {
  /// The comparison of two values.
  package enum Comparison: String, CaseIterable, Sendable {
    case auto, text, caseInsensitive, natural, number
  }

  /// A JSON Pointer into the object, "" for the object itself, "#key" for the key.
  package var by: String
  /// True for descending order.
  package var descending: Bool
  /// The comparison of two values.
  package var compare: Comparison

  /// Creates a descriptor.
  package init(by: String, descending: Bool = false, compare: Comparison = .auto) {
    self.by = by
    self.descending = descending
    self.compare = compare
  }

  /// The descriptor as JSON.
  package var json: [UInt8] {
    var members = [("by", JSONText.string(by))]
    if descending { members.append(("direction", JSONText.string("descending"))) }
    if compare != .auto { members.append(("compare", JSONText.string(compare.rawValue))) }
    return JSONText.object(members)
  }
}

extension ModelSort {
  /// Creates a descriptor from the JSON of the service.
  init(_ json: RawJSON) {
    self.init(
      by: json["by"]?.string ?? "",
      descending: json["direction"]?.string == "descending",
      compare: json["compare"]?.string.flatMap(Comparison.init) ?? .auto
    )
  }
}

extension [ModelSort] {
  /// The descriptors as the service writes them, with all members; `null` if empty.
  var wholeJSON: [UInt8] {
    guard !isEmpty else { return JSONText.key(nil) }
    return JSONText.array(
      map { sort in
        JSONText.object([
          ("by", JSONText.string(sort.by)),
          ("direction", JSONText.string(sort.descending ? "descending" : "ascending")),
          ("compare", JSONText.string(sort.compare.rawValue)),
        ])
      }
    )
  }
}

/// The parts of a node that it can be sorted by.
struct SortSubject {
  let key: ModelKey
  let object: RawJSON

  /// Returns the value at a JSON Pointer into the object, or the key for "#key"; nil if there is
  /// none.
  func value(_ by: String) -> RawJSON? {
    guard by == "#key" else { return object.value(at: by) }
    return RawJSON(kind: .string(key.bytes), bytes: JSONText.string(key.bytes))
  }
}

extension [ModelSort] {
  /// Returns a negative number if `left` precedes `right`, zero if they are equal, else a positive
  /// one.
  func order(_ left: SortSubject, _ right: SortSubject) -> Int {
    for descriptor in self {
      let order = descriptor.order(left, right)
      if order != 0 { return order }
    }
    return 0
  }
}

extension ModelSort {
  fileprivate func order(_ left: SortSubject, _ right: SortSubject) -> Int {
    let order = valueOrder(value(of: left), value(of: right))
    return descending ? -order : order
  }

  private func value(of subject: SortSubject) -> RawJSON {
    let value = subject.value(by) ?? .null
    // The comparison `number` reads a string that is a number as this number.
    if compare == .number, let text = value.string, let number = try? RawJSON(parsing: text),
      case .number = number.kind
    {
      return number
    }
    return value
  }

  private func valueOrder(_ left: RawJSON, _ right: RawJSON) -> Int {
    switch (left.kind, right.kind) {
    case (.number, .number):
      return threeWay(DecimalNumber(text: left.text), DecimalNumber(text: right.text))
    case (.string(let left), .string(let right)):
      return textOrder(left, right)
    default:
      return threeWay(ModelSort.rank(left), ModelSort.rank(right))
    }
  }

  private func textOrder(_ left: [UInt8], _ right: [UInt8]) -> Int {
    switch compare {
    case .auto, .text, .number: threeWay(ModelKey(bytes: left), ModelKey(bytes: right))
    case .caseInsensitive:
      threeWay(ModelKey(bytes: Folding.folded(left)), ModelKey(bytes: Folding.folded(right)))
    case .natural: ModelSort.naturalOrder(left[...], right[...])
    }
  }

  private static func rank(_ value: RawJSON) -> Int {
    switch value.kind {
    case .null: 0
    case .bool(let truth): truth ? 2 : 1
    case .number: 3
    case .string: 4
    case .array, .object: 5
    }
  }

  /// Compares runs of digits by their value and all other text by code points.
  private static func naturalOrder(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    guard let first = left.first, let second = right.first else {
      return threeWay(left.count, right.count)
    }
    let isDigit = { (byte: UInt8) in (0x30...0x39).contains(byte) }
    if isDigit(first), isDigit(second) {
      let digits = (left.prefix(while: isDigit), right.prefix(while: isDigit))
      let numbers = (
        DecimalNumber(text: String(decoding: digits.0, as: UTF8.self)),
        DecimalNumber(text: String(decoding: digits.1, as: UTF8.self))
      )
      let order = threeWay(numbers.0, numbers.1)
      guard order == 0 else { return order }
      return naturalOrder(left.dropFirst(digits.0.count), right.dropFirst(digits.1.count))
    }
    guard first == second else { return threeWay(first, second) }
    return naturalOrder(left.dropFirst(), right.dropFirst())
  }
}

private func threeWay<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
  left < right ? -1 : (right < left ? 1 : 0)
}
