import JSON

/// A hash of a JSON value that does not depend on its notation.
///
/// White space and escapes in strings make no difference. Numbers are compared by value: `1`, `1.0`
/// and `10e-1` have the same hash. Only the order of members with the same name makes a difference.
struct JSONFingerprint {
  /// An array or an object that is still open.
  private struct Open {
    let isObject: Bool
    /// The hash of the current member's name.
    var name: UInt64 = 0
    /// The hash of an array's elements so far.
    var elements = Fingerprint(of: UInt8(ascii: "["))
    var members: [(name: UInt64, place: Int, value: UInt64)] = []
  }

  private var reader: JSONReader
  private var open: [Open] = []

  /// Returns the hash of a JSON text; nil if it is not JSON or is nested too deeply.
  ///
  /// - Complexity: O(*n* log *n*) in the length of the text, without recursion.
  static func value(of text: [UInt8], maxDepth: Int) -> UInt64? {
    var reading = JSONFingerprint(reader: JSONReader(text, maxDepth: maxDepth))
    do throws(JSONError) {
      let value = try reading.run()
      try reading.reader.finish()
      return value
    } catch {
      return nil
    }
  }

  private mutating func run() throws(JSONError) -> UInt64 {
    var done = try begin()
    while true {
      if let value = done {
        if open.isEmpty { return value }
        add(value)
      }
      done = try hasNext() ? begin() : close()
    }
  }

  /// Advances to the next element or member of the innermost container.
  private mutating func hasNext() throws(JSONError) -> Bool {
    guard open[open.count - 1].isObject else { return try reader.nextElement() }
    guard let name = try reader.nextMember() else { return false }
    open[open.count - 1].name = hash(name)
    return true
  }

  /// Reads a scalar and returns its hash, or enters a container and returns nil.
  private mutating func begin() throws(JSONError) -> UInt64? {
    switch try reader.peekKind() {
    case .object:
      try reader.beginObject()
      open.append(Open(isObject: true))
      return nil
    case .array:
      try reader.beginArray()
      open.append(Open(isObject: false))
      return nil
    case .string: return hash(try reader.readString())
    case .number:
      let text = reader.bytes[try reader.skipValue()]
      var fingerprint = Fingerprint(of: UInt8(ascii: "0"))
      fingerprint.add(JSONNumber(text)?.canonical ?? Array(text))
      return fingerprint.value
    case .boolean, .null:
      var fingerprint = Fingerprint()
      fingerprint.add(reader.bytes[try reader.skipValue()])
      return fingerprint.value
    }
  }

  private func hash(_ string: JSONString) -> UInt64 {
    var fingerprint = Fingerprint(of: UInt8(ascii: "\""))
    if string.hasEscapes {
      fingerprint.add(string.decoded(from: reader.bytes))
    } else {
      fingerprint.add(reader.bytes[string.range])
    }
    return fingerprint.value
  }

  private mutating func add(_ value: UInt64) {
    let last = open.count - 1
    guard open[last].isObject else { return open[last].elements.add(value) }
    open[last].members.append((open[last].name, open[last].members.count, value))
  }

  /// Closes the innermost container and returns its hash.
  private mutating func close() -> UInt64 {
    let container = open.removeLast()
    guard container.isObject else { return container.elements.value }
    var fingerprint = Fingerprint(of: UInt8(ascii: "{"))
    for member in container.members.sorted(by: { ($0.name, $0.place) < ($1.name, $1.place) }) {
      fingerprint.add(member.name)
      fingerprint.add(member.value)
    }
    return fingerprint.value
  }
}
