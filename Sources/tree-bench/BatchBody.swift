import JSON

/// Bodies of batches for decoding.
enum BatchBody {
  /// Returns a body of insertions of about 110 bytes each, ten below each node.
  static func insertions(_ count: Int) -> [UInt8] {
    body(count) { number, writer in insertion(number, &writer) }
  }

  /// Returns a body of operations of ten kinds alternately, half of which have objects.
  static func mix(_ count: Int) -> [UInt8] {
    body(count) { number, writer in
      switch number % 10 {
      case 0, 1: insertion(number, &writer)
      case 2: insertion(number, &writer, place: number % 7)
      case 3: named("move", number, &writer) { parent(number, &$0) }
      case 4: named("remove", number, &writer) { _ in }
      case 5: named("update", number, &writer) { patch("object", number, &$0) }
      case 6: named("update", number, &writer) { patch("merge", number, &$0) }
      case 7: named("setChildren", number, &writer) { children(number, &$0) }
      case 8: named("collapse", number, &writer) { _ in }
      default: named("select", number, &writer) { _ in }
      }
    }
  }

  private static func body(
    _ count: Int,
    _ write: (_ number: Int, inout JSONWriter) -> Void
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.beginObject()
    writer.name("operations")
    writer.beginArray()
    for number in 0..<count { write(number, &writer) }
    writer.endArray()
    writer.endObject()
    return writer.finish()
  }

  private static func named(
    _ name: StaticString,
    _ number: Int,
    _ writer: inout JSONWriter,
    _ members: (inout JSONWriter) -> Void
  ) {
    writer.beginObject()
    writer.name("op")
    writer.string(name)
    writer.name("key")
    writer.string("node-\(number)")
    members(&writer)
    writer.endObject()
  }

  private static func insertion(_ number: Int, _ writer: inout JSONWriter, place: Int? = nil) {
    named("insert", number, &writer) {
      parent(number, &$0)
      if let place {
        $0.name("index")
        $0.integer(place)
      }
      $0.name("object")
      object(number, &$0)
    }
  }

  private static func parent(_ number: Int, _ writer: inout JSONWriter) {
    writer.name("parent")
    if number == 0 { writer.null() } else { writer.string("node-\((number - 1) / 10)") }
  }

  private static func object(_ number: Int, _ writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("name")
    writer.string("Document number \(number)")
    writer.name("size")
    writer.integer(number * 7_919 % 1_000_003)
    writer.endObject()
  }

  private static func patch(_ name: StaticString, _ number: Int, _ writer: inout JSONWriter) {
    writer.name(name)
    writer.beginObject()
    writer.name("name")
    writer.string("Größe \(number)\n")
    writer.name("tags")
    writer.beginArray()
    writer.string("a")
    writer.raw(Array("-1.5e3".utf8)[...])
    writer.null()
    writer.endArray()
    writer.endObject()
  }

  private static func children(_ number: Int, _ writer: inout JSONWriter) {
    writer.name("children")
    writer.beginArray()
    for child in 0..<3 {
      writer.beginObject()
      writer.name("key")
      writer.string("node-\(number)-\(child)")
      writer.name("object")
      object(child, &writer)
      writer.endObject()
    }
    writer.endArray()
  }
}
