import JSON
import TreeDomain
import TreeEngine

// Encoding of common types. Types with a JSON form are encoded as JSON.
extension ByteWriter {
  mutating func append(_ revision: Revision) { append(number: revision.number) }

  mutating func append(_ options: SessionOptions) {
    append(string: JSONWriter.text { options.write(to: &$0) }[...])
  }

  mutating func append(_ sort: SortOrder) {
    var options = SessionOptions()
    options.sort = sort
    append(options)
  }

  mutating func append(_ strings: [ByteSlice], of arena: [UInt8]) {
    append(count: strings.count)
    for string in strings { append(string: arena[string.range]) }
  }

  /// Appends an optional value.
  mutating func append<Value>(
    optional value: Value?,
    _ write: (inout ByteWriter, Value) -> Void
  ) {
    append(value != nil)
    if let value { write(&self, value) }
  }
}

extension ByteReader {
  mutating func revision() throws(ImageError) -> Revision { Revision(try number()) }

  mutating func changeFormat() throws(ImageError) -> ChangeFormat {
    let place = try count()
    guard ChangeFormat.allCases.indices.contains(place) else { throw .damaged }
    return ChangeFormat.allCases[place]
  }

  mutating func sessionID() throws(ImageError) -> SessionID {
    guard let id = SessionID(try string()) else { throw .damaged }
    return id
  }

  mutating func treeID() throws(ImageError) -> TreeID {
    guard let id = TreeID(validating: try string()) else { throw .damaged }
    return id
  }

  mutating func sessionOptions() throws(ImageError) -> SessionOptions {
    let text = Array(try string())
    guard let new = try? NewSession.decode(body: text, limits: .none) else { throw .damaged }
    return new.options
  }

  mutating func sortOrder() throws(ImageError) -> SortOrder { try sessionOptions().sort }

  mutating func strings(into arena: inout [UInt8]) throws(ImageError) -> [ByteSlice] {
    var strings: [ByteSlice] = []
    for _ in 0..<(try count(upTo: remaining)) {
      let start = arena.count
      arena += try string()
      strings.append(ByteSlice(start..<arena.count))
    }
    return strings
  }

  /// Reads an optional value.
  mutating func optional<Value>(
    _ read: (inout ByteReader) throws(ImageError) -> Value
  ) throws(ImageError) -> Value? {
    try bool() ? try read(&self) : nil
  }
}

extension JSONWriter {
  /// Returns the text that a closure writes.
  static func text(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    write(&writer)
    return writer.finish()
  }
}
