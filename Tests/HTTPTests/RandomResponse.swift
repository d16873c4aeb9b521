import TestSupport

/// A random well-formed response, and what is to be read of it.
struct RandomResponse {
  var bytes: [UInt8] = []
  let content: [UInt8]
  let closes: Bool

  init(using random: inout SeededGenerator) {
    for _ in 0..<random.number(in: 0...2) { bytes += "HTTP/1.1 100 Continue\r\n\r\n".utf8 }
    bytes += "HTTP/1.1 \(random.choice([200, 201, 404, 503])) Some reason\r\n".utf8
    for index in 0..<random.number(in: 0...5) {
      let value = String(repeating: "v", count: random.number(in: 0...40))
      bytes += "X-\(index):\(random.choice(["", " ", "\t "]))\(value)\r\n".utf8
    }
    var content: [UInt8] = []
    let count = random.number(in: 0...300)
    for _ in 0..<count { content.append(UInt8(random.number(in: 0...255))) }
    self.content = content
    switch random.number(in: 0...2) {
    case 0:
      closes = true
      bytes += "\r\n".utf8
      bytes += content
    case 1:
      closes = false
      bytes += "content-length: \(content.count)\r\n\r\n".utf8
      bytes += content
    default:
      closes = false
      bytes += "Transfer-Encoding: Chunked\r\n\r\n".utf8
      var rest = content[...]
      while !rest.isEmpty {
        let chunk = rest.prefix(random.number(in: 1...80))
        bytes +=
          "\(String(chunk.count, radix: 16))\(random.choice(["", ";x", ";x=\"y\""]))\r\n".utf8
        bytes += chunk
        bytes += "\r\n".utf8
        rest = rest.dropFirst(chunk.count)
      }
      bytes += "0\r\n\(random.choice(["", "T: x\r\n"]))\r\n".utf8
    }
  }
}
