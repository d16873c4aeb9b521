import JSON

extension SortDescriptor {
  /// The types of values, in sort order.
  private enum Rank: UInt8 {
    case null, `false`, `true`, number, string, container
  }

  /// The pointer to the compared value; `nil` if keys are compared.
  var pointer: JSONPointer? {
    if case .value(let pointer) = subject { pointer } else { nil }
  }

  /// Appends bytes whose lexicographic order is that of the compared values.
  ///
  /// Equal values give equal bytes. Different values differ before the end of either.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - place: The range of the value in the object, found by the pointer; `nil` if it is absent.
  ///   - bytes: The output.
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

  /// Appends the bytes of a JSON value.
  ///
  /// - Precondition: The value is valid.
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
    case .caseInsensitive: TextOrder.append(TextOrder.lowercased(text)[...], to: &bytes)
    case .natural: TextOrder.appendNaturally(text, to: &bytes)
    }
  }

  private func append(_ number: JSONNumber, to bytes: inout [UInt8]) {
    bytes.append(Rank.number.rawValue)
    number.appendOrdered(to: &bytes)
  }
}
