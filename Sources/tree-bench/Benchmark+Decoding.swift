import JSON
import TreeDomain

extension Benchmark {
  /// The body of a batch, checked as JSON and decoded: what comes before it is applied.
  static var decoding: Benchmark {
    Benchmark(name: "decode", smallSize: 100, largeSize: 100_000) { size in
      let body = insertions(size)
      return [
        Measurement("operation checked as JSON", size: size, operations: size) {
          UInt64((try? JSONReader.validate(body).count) ?? 0)
        },
        Measurement("operation decoded", size: size, operations: size) {
          UInt64((try? Batch.decode(body: body).nodes.count) ?? 0)
        },
      ]
    }
  }

  /// A batch of so many insertions, ten below each node, of some 110 bytes each.
  private static func insertions(_ count: Int) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("operations")
    writer.beginArray()
    for number in 0..<count {
      writer.beginObject()
      writer.name("op")
      writer.string("insert")
      writer.name("key")
      writer.string("node-\(number)")
      writer.name("parent")
      if number == 0 { writer.null() } else { writer.string("node-\((number - 1) / 10)") }
      writer.name("object")
      writer.beginObject()
      writer.name("name")
      writer.string("Document number \(number)")
      writer.name("size")
      writer.integer(number * 7_919 % 1_000_003)
      writer.endObject()
      writer.endObject()
    }
    writer.endArray()
    writer.endObject()
    return writer.finish()
  }
}
