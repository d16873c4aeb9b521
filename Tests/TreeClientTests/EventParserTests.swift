import Foundation
import Testing

@testable import TreeClient

@Suite struct `A stream of events` {
  @Test func `is the same wherever its bytes are split`() {
    let text = [
      "\u{FEFF}retry: 1500\r\n: comment\r\n\r\nevent: changes\rid: 7\rdata: {\"a\":\r",
      "data: \"ä€😀\"}\r\rdata:no space\n\nevent: ignored\n\nevent: end\r\ndata: 1\r\n\r\n",
      ": bye\n\ndata: unfinished\n",
    ].joined()
    let bytes = Data(text.utf8)
    let whole = [
      ServerSentEvent(retry: "1500"),
      ServerSentEvent(event: "changes", data: "{\"a\":\n\"ä€😀\"}"),
      ServerSentEvent(data: "no space"), ServerSentEvent(event: "ignored"),
      ServerSentEvent(event: "end", data: "1"), ServerSentEvent(),
    ]
    func parsed(_ pieces: [Data]) -> [ServerSentEvent] {
      var parser = EventParser()
      return pieces.flatMap { parser.feed($0) }
    }
    #expect(parsed([bytes]) == whole)
    for cut in 0...bytes.count {
      #expect(parsed([bytes.prefix(cut), bytes.dropFirst(cut)]) == whole, "cut at \(cut)")
    }
    #expect(parsed(bytes.map { Data([$0]) }) == whole)
  }
}
