import JSON

extension SortDescriptor {
  /// The types of values in their order.
  private enum Rank: UInt8 {
    case null, `false`, `true`, number, string, container
  }

  /// The pointer to the value that is compared; `nil` where the key is.
  var pointer: JSONPointer? {
    if case .value(let pointer) = subject { pointer } else { nil }
  }

  /// Appends bytes that stand in the order of what the criterion looks at.
  ///
  /// Those of equal values are equal, and those of different ones differ before either ends.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - place: The place of the value in the object, as the pointer finds it.
  ///   - bytes: The bytes.
  /// - Complexity: O(length of the value).
  func append(_ node: SortOrder.Subject, value place: Range<Int>?, to bytes: inout [UInt8]) {
    let start = bytes.count
    if subject == .key {
      append(text: node.key, to: &bytes)
    } else if let place {
      append(value: node.object[place], to: &bytes)
    } else {
      bytes.append(Rank.null.rawValue)
    }
    guard direction == .descending else { return }
    for place in start..<bytes.count { bytes[place] = ~bytes[place] }
  }

  /// Appends a valid JSON value.
  private func append(value: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    switch ValueText(value) {
    case .string(let text):
      append(text: text, to: &bytes)
    case .number(let written):
      guard let number = JSONNumber(written) else {
        preconditionFailure("the value was not valid JSON")
      }
      append(number, to: &bytes)
    case .other:
      let rank: Rank =
        switch value.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "n"): .null
        case UInt8(ascii: "f"): .false
        case UInt8(ascii: "t"): .true
        default: .container
        }
      bytes.append(rank.rawValue)
    }
  }

  private func append(text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    if comparison == .number, let number = JSONNumber(text) {
      append(number, to: &bytes)
      return
    }
    bytes.append(Rank.string.rawValue)
    switch comparison {
    case .auto, .text, .number: TextOrder.append(text, to: &bytes)
    case .caseInsensitive: TextOrder.append(TextOrder.lowercased(Array(text))[...], to: &bytes)
    case .natural: TextOrder.appendNaturally(text, to: &bytes)
    }
  }

  private func append(_ number: JSONNumber, to bytes: inout [UInt8]) {
    bytes.append(Rank.number.rawValue)
    number.appendOrdered(to: &bytes)
  }
}
