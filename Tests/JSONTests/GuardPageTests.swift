import Glibc
import TestSupport
import Testing

@testable import JSON

@Suite struct `JSON near a guard page` {
  /// Texts that reach the end of every loop that reads several bytes at a time.
  private static let texts =
    RobustnessTests.documents + [
      String(repeating: "x", count: 40), "\"" + String(repeating: "y", count: 40) + "\"",
      "[\(String(repeating: " ", count: 40))]", String(repeating: "9", count: 40),
      "[true,false,null]", "\"\\ud83d\\ude00\\u00e9\"", "{\"é\":\"😀\"}\n{}\n",
      #"{"a":"b", "c": 12,"é":"x\n","d":null,"e":false,"f":[{"g":0}],"h":"#, #","key":"a""#,
      #","parent":"a""#,
    ]

  @Test func `reading behind guarded bytes crashes the process`() async {
    await #expect(processExitsWith: .signal(SIGSEGV)) {
      _ = GuardedBytes("abc".utf8).readBeyond()
    }
  }

  @Test(arguments: texts)
  func `a reader of a prefix reads no byte behind it`(text: String) {
    let bytes = utf8(text)
    for count in 0...bytes.count {
      let prefix = Array(bytes.prefix(count))
      let guarded = GuardedBytes(prefix)
      var reader = JSONReader(guarded.storage, in: guarded.start..<guarded.storage.count)
      let result = Result { () throws(JSONError) in
        let value = try reader.skipValue()
        try reader.finish()
        return value.count
      }
      let expected = Result { () throws(JSONError) in try JSONReader.validate(prefix).count }
      let shifted = result.mapError { JSONError($0.reason, at: $0.offset - guarded.start) }
      #expect(shifted == expected, "\(count) bytes")
    }
  }

  @Test(arguments: texts)
  func `scans read no byte behind the text`(text: String) {
    let bytes = utf8(text)
    for start in 0...bytes.count {
      let suffix = Array(bytes[start...])
      let guarded = GuardedBytes(suffix, padding: [0x0A])
      #expect(stops(in: guarded.storage, from: guarded.start) == stops(in: suffix, from: 0))
      var writer = JSONWriter()
      writer.string(guarded.storage[guarded.start...])
      var other = JSONWriter()
      other.string(suffix[...])
      #expect(writer.finish() == other.finish())
    }
  }

  @Test(arguments: texts)
  func `a quick reader reads no byte behind the text`(text: String) {
    let bytes = utf8(text)
    for start in 0...bytes.count {
      let suffix = Array(bytes[start...])
      let guarded = GuardedBytes(suffix, padding: [0x0A])
      #expect(quickEnds(in: guarded.storage, from: guarded.start) == quickEnds(in: suffix, from: 0))
    }
  }

  /// Returns the ends of the tokens at the beginning of a text, relative to it.
  private func quickEnds(in bytes: [UInt8], from start: Int) -> [Int?] {
    let text = bytes.span.extracting(start...)
    return [
      end(of: text) { $0.string($1) }, end(of: text) { $0.word($1) }, end(of: text) { $0.name($1) },
      end(of: text) { $0.integer($1) }, end(of: text) { $0.boolean($1) },
      end(of: text) { $0.value($1, maxDepth: 9) },
      end(of: text) { $0.null($1) ? 1 : nil }, end(of: text) { $0.pass(#","key":"#, $1) ? 1 : nil },
      end(of: text) { $0.pass(#","parent":"#, $1) ? 1 : nil },
    ]
  }

  private func end<Token>(
    of text: Span<UInt8>,
    _ read: (inout QuickReader, Span<UInt8>) -> Token?
  ) -> Int? {
    var quick = QuickReader(at: 0)
    return read(&quick, text).map { _ in quick.offset }
  }

  /// Returns the offsets at which scans of a text's end stop, relative to it.
  private func stops(in bytes: [UInt8], from start: Int) -> [Int?] {
    let span = bytes.span.extracting(start...)
    return [
      Scan.plain(span, 0), Scan.unescaped(span, 0), Scan.space(span, 0),
      LineScan.end(of: span, from: 0),
    ]
  }
}
