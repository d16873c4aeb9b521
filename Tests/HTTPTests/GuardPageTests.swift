import TestSupport
import Testing

@testable import HTTP

@Suite struct `HTTP input near a guard page` {
  @Test(arguments: goodRequests)
  func `a head is parsed without reading behind the input`(_ request: RequestCase) {
    for count in 0...request.raw.count { checkHead(Array(request.raw.prefix(count))) }
  }

  @Test(arguments: allRefusals)
  func `a bad head is refused without reading behind the input`(_ refusal: RefusalCase) {
    checkHead(refusal.raw)
  }

  @Test(arguments: [
    "5\r\nhello\r\n0\r\n\r\n", "00A;x=\"y\"\r\n, 90123456\r\n0\r\na: b\r\nc:\r\n\r\n",
    "3\r\nab\r\n", "5;a\rb", "0\r\na\r\n", "fffffffffffffffff",
  ])
  func `chunks are decoded without reading behind the input`(_ content: String) {
    for count in 0...content.utf8.count {
      let prefix = Array(content.utf8.prefix(count))
      let guarded = GuardedBytes(prefix)
      #expect(decode(guarded.storage, guarded.start) == decode(prefix, 0), "\(count) bytes")
    }
  }

  private func checkHead(_ bytes: [UInt8]) {
    let guarded = GuardedBytes(bytes)
    #expect(parse(guarded.storage, guarded.start) == parse(bytes, 0), "\(String(text: bytes))")
  }

  private func parse(_ bytes: [UInt8], _ start: Int) -> Result<Int?, RequestRejection> {
    var parser = RequestParser(limits: Limits(), start: start)
    return Result { () throws(RequestRejection) in
      try parser.parse(bytes).map { $0.end - start }
    }
  }

  private func decode(_ bytes: [UInt8], _ start: Int) -> Result<[UInt8], RequestRejection> {
    var decoder = ChunkedDecoder(limits: Limits(), maxContentBytes: 1_000)
    var position = start
    var content: [UInt8] = []
    return Result { () throws(RequestRejection) in
      let isComplete = try decoder.decode(bytes, from: &position, into: &content)
      return content + [isComplete ? 1 : 0]
    }
  }
}
