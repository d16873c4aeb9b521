import HTTP
import TreeDomain

/// The query of a request, parsed strictly: an unknown parameter is an error.
struct Query: Sendable {
  /// The name of an ignored parameter, which clients such as jQuery add to bypass caches.
  private static let ignoredName = Array("_".utf8)[...]

  /// The largest accepted integer, 2⁵³ − 1; larger ones count as this.
  ///
  /// No count is ever as large, and sums of two such numbers do not overflow.
  static let largestInteger = 1 << 53 - 1

  private let items: [(parameter: QueryParameter, value: ArraySlice<UInt8>)]

  /// Creates a query without parameters.
  init() { items = [] }

  /// Parses the query of a request.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - parameters: The allowed parameters, each at most once.
  /// - Throws: `invalid-request` with the name of the parameter.
  init(
    of request: borrowing Request,
    knowing parameters: [QueryParameter]
  ) throws(ServiceError) {
    var items: [(parameter: QueryParameter, value: ArraySlice<UInt8>)] = []
    let count = request.queryCount
    if count > 0 { items.reserveCapacity(count) }
    for index in 0..<count {
      let item = request.queryItem(at: index)
      if item.name == Self.ignoredName { continue }
      guard let known = QueryParameter(named: item.name), parameters.contains(known) else {
        let names = parameters.map(\.rawValue)
        throw ServiceError(
          .invalidRequest,
          NameAdvice.unknown("query parameter", item.name, among: names)
        )
      }
      guard !items.contains(where: { $0.parameter == known }) else {
        throw ServiceError(
          .invalidRequest,
          "The query parameter \(known.rawValue) comes twice; give it once."
        )
      }
      items.append((known, item.value))
    }
    self.items = items
  }

  /// True if no parameter was given.
  var isEmpty: Bool { items.isEmpty }

  /// The given parameters with their values, sorted by name.
  var sorted: [(parameter: QueryParameter, value: ArraySlice<UInt8>)] {
    items.sorted { $0.parameter.rawValue < $1.parameter.rawValue }
  }

  /// Returns true if a parameter was given.
  func has(_ parameter: QueryParameter) -> Bool { items.contains { $0.parameter == parameter } }

  /// Returns the decoded value of a parameter; nil if it was not given.
  subscript(_ parameter: QueryParameter) -> ArraySlice<UInt8>? {
    for place in items.indices where items[place].parameter == parameter {
      return items[place].value
    }
    return nil
  }

  /// Returns a parameter as a non-negative integer; nil if it was not given.
  ///
  /// - Throws: `invalid-request` if it is no integer, or out of range.
  func integer(
    _ parameter: QueryParameter,
    in range: ClosedRange<Int> = 0...largestInteger
  ) throws(ServiceError) -> Int? {
    guard let value = self[parameter] else { return nil }
    if let number = Query.decimal(value), range.contains(number) { return number }
    let advice =
      range.upperBound == Query.largestInteger
      ? "\(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
    throw refusal(parameter, "a whole number \(advice)")
  }

  /// Returns a parameter as one of some words; nil if it was not given.
  ///
  /// - Throws: `invalid-request` if it is none of them.
  func word<Word: RawRepresentable<String> & CaseIterable>(
    _ parameter: QueryParameter,
    of type: Word.Type
  ) throws(ServiceError) -> Word? {
    guard let value = self[parameter] else { return nil }
    if let word = type.allCases.first(where: { $0.rawValue.utf8.elementsEqual(value) }) {
      return word
    }
    throw refusal(parameter, type.allCases.map(\.rawValue).joined(separator: " or "))
  }

  /// Returns an `invalid-request` error about the value of a parameter.
  func refusal(_ parameter: QueryParameter, _ expected: String) -> ServiceError {
    let found = NameAdvice.quoted(self[parameter] ?? [])
    return ServiceError(
      .invalidRequest,
      "The query parameter \(parameter.rawValue) must be \(expected), not \(found)."
    )
  }

  /// Returns the value of decimal digits, at most ``largestInteger``; nil for any other text.
  static func decimal(_ digits: some Collection<UInt8>) -> Int? {
    guard !digits.isEmpty else { return nil }
    var number = 0
    for byte in digits {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
      number = min(number * 10 + Int(byte - UInt8(ascii: "0")), largestInteger)
    }
    return number
  }

  /// Returns the revision in canonical decimal digits; nil for any other text.
  static func revision(writtenAs digits: some Collection<UInt8>) -> Revision? {
    guard let number = decimal(digits), String(number).utf8.elementsEqual(digits) else {
      return nil
    }
    return Revision(UInt64(number))
  }
}

/// A query parameter, by its name in the API.
enum QueryParameter: String, CaseIterable, Sendable {
  case offset, limit, around, before, after, fields, parent, section, revision
  case changes, sections, include, dryRun
  case since, wait, interval
  case q, by, count
  case ancestors

  private static let all = allCases
  private static let names = NameTable(all.map(\.rawValue))

  /// Creates the parameter with a name; nil if there is none.
  init?(named name: ArraySlice<UInt8>) {
    guard let place = Self.names.place(of: name) else { return nil }
    self = Self.all[place]
  }
}

/// Percent-encodes a path segment, except for `unreserved` characters (RFC 3986, 2.3).
func percentEncoded(_ segment: [UInt8]) -> [UInt8] {
  let digits = Array("0123456789ABCDEF".utf8)
  var encoded: [UInt8] = []
  for byte in segment {
    if isUnreserved(byte) {
      encoded.append(byte)
    } else {
      encoded += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
  }
  return encoded
}

private func isUnreserved(_ byte: UInt8) -> Bool {
  switch byte {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
    UInt8(ascii: "a")...UInt8(ascii: "z"):
    true
  default: "-._~".utf8.contains(byte)
  }
}
