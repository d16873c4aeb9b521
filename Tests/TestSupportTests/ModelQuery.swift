import TestSupport

/// The query parameters that the differential run uses.
struct ModelQuery {
  var values: [String: String] = [:]

  init(_ text: String) {
    for pair in text.split(separator: "&") {
      let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      values[String(halves[0])] = halves.count > 1 ? String(halves[1]) : ""
    }
  }

  func integer(_ name: String) -> Int? {
    values[name].flatMap(Int.init)
  }

  func key(_ name: String) -> ModelKey? {
    values[name].map(ModelQuery.decoded)
  }

  var isRowQuery: Bool {
    let known = ["offset", "limit", "around", "before", "after", "fields", "ancestors"]
    let fields = values["fields"]?.split(separator: ",").map(String.init) ?? []
    let isMixed = values["around"] != nil && (values["offset"] ?? values["limit"]) != nil
    return values.keys.allSatisfy(known.contains) && !isMixed
      && (values["offset"] == nil || (integer("offset") ?? -1) >= 0)
      && (values["limit"] == nil || (1...1000).contains(integer("limit") ?? 0))
      && fields.allSatisfy(ModelRow.allFieldNames.contains)
  }

  static func decoded(_ segment: String) -> ModelKey {
    var bytes: [UInt8] = []
    var rest = Array(segment.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        let digits = String(decoding: rest.prefix(2), as: UTF8.self)
        rest = rest.dropFirst(2)
        bytes.append(UInt8(digits, radix: 16) ?? 0)
      } else {
        bytes.append(byte)
      }
    }
    return ModelKey(bytes: bytes)
  }
}
