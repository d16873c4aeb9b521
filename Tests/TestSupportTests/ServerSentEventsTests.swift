import Testing

@testable import TestSupport

struct ServerSentEventsTests {
  private static let stream = """
    retry: 2000\r\n: hello\r\n\r\nid: 4\nevent: changes\ndata: {"a":\ndata:1}\n\n\
    : heartbeat\r\rid: 5\rdata: x\r\revent: ignored\n\ndata: never ended
    """

  @Test(arguments: [1, 2, 3, 7, 1_000])
  func `a stream in pieces of any size gives the same events`(size: Int) {
    var events = ServerSentEvents()
    var rest = Array(Self.stream.utf8)[...]
    while !rest.isEmpty {
      events.read(rest.prefix(size))
      rest = rest.dropFirst(size)
    }
    #expect(
      events.popEvents() == [
        ServerSentEvents.Event(type: "changes", data: "{\"a\":\n1}", id: "4"),
        ServerSentEvents.Event(type: "message", data: "x", id: "5"),
      ]
    )
    #expect(events.comments == ["hello", "heartbeat"])
    #expect(events.retry == 2_000 && events.lastID == "5")
  }
}
