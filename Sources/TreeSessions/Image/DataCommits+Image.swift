import TreeEngine

extension DataCommits {
  func write(to writer: inout ByteWriter) {
    writer.append(number: count)
    writer.append(count: numbers.count)
    for number in numbers { writer.append(count: number) }
  }

  /// - Parameter reader: The bytes that ``write(to:)`` has written.
  /// - Throws: `damaged`.
  convenience init(from reader: inout ByteReader) throws(ImageError) {
    let count = try reader.count()
    var numbers: [Int] = []
    for _ in 0..<(try reader.count(upTo: min(count, reader.remaining))) {
      let number = try reader.count()
      guard number > numbers.last ?? -1 else { throw .damaged }
      numbers.append(number)
    }
    self.init(count: UInt64(count), numbers: numbers)
  }

  /// The number of the newest commit; 0 if none is known.
  var newest: Int { numbers.last ?? 0 }
}
