import JSON

/// Writes a value in canonical form, without recursion.
struct CanonicalWriting {
  /// An array or object that is being read.
  private struct Open {
    let isObject: Bool
    /// The name of the current member.
    var name: [UInt8] = []
    /// The values that were read.
    ///
    /// Elements of arrays have empty names.
    var values: [(name: [UInt8], value: [UInt8])] = []
  }

  private let isCaseSensitive: Bool
  private var reader: JSONReader
  private var open: [Open] = []

  /// Returns the canonical form of a valid value.
  static func canonical(_ value: [UInt8], isCaseSensitive: Bool) -> [UInt8] {
    var writing = CanonicalWriting(
      isCaseSensitive: isCaseSensitive,
      reader: JSONReader(value, maxDepth: .max)
    )
    do throws(JSONError) {
      return try writing.run()
    } catch {
      preconditionFailure("the value was not valid JSON")
    }
  }

  private mutating func run() throws(JSONError) -> [UInt8] {
    var done = try begin()
    while !open.isEmpty {
      if let value = done { add(value) }
      done = try hasNext() ? begin() : close()
    }
    return done ?? []
  }

  /// Moves to the next element or member of the innermost container.
  private mutating func hasNext() throws(JSONError) -> Bool {
    guard open[open.count - 1].isObject else { return try reader.nextElement() }
    guard let name = try reader.nextMember() else { return false }
    open[open.count - 1].name = name.decoded(from: reader.bytes)
    return true
  }

  /// Reads a scalar value, or enters a container and returns `nil`.
  private mutating func begin() throws(JSONError) -> [UInt8]? {
    switch try reader.peekKind() {
    case .object:
      try reader.beginObject()
      open.append(Open(isObject: true))
      return nil
    case .array:
      try reader.beginArray()
      open.append(Open(isObject: false))
      return nil
    case .string:
      let text = try reader.readString().decoded(from: reader.bytes)
      return written { $0.string((isCaseSensitive ? text : TextOrder.lowercased(text))[...]) }
    case .number:
      let number = try reader.skipValue()
      return JSONNumber(reader.bytes[number])?.canonical
    case .boolean, .null:
      return Array(reader.bytes[try reader.skipValue()])
    }
  }

  private mutating func add(_ value: [UInt8]) {
    let name = open[open.count - 1].name
    open[open.count - 1].values.append((name, value))
  }

  /// Leaves the innermost container and returns its canonical form.
  private mutating func close() -> [UInt8] {
    let container = open.removeLast()
    guard container.isObject else {
      return written { writer in
        writer.beginArray()
        for (_, value) in container.values { writer.raw(value[...]) }
        writer.endArray()
      }
    }
    var members: [[UInt8]: [UInt8]] = [:]
    for (name, value) in container.values { members[name] = value }
    let sorted = members.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    return written { writer in
      // Names are written like values. The form is only compared and need not be JSON.
      writer.beginObject()
      for (name, value) in sorted {
        writer.string(name[...])
        writer.raw(value[...])
      }
      writer.endObject()
    }
  }

  private func written(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.finish()
  }
}
