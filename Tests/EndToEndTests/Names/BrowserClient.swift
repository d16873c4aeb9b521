import TestSupport

/// A page in Chromium that sends requests with `fetch`.
///
/// The page reads its orders as nodes in a session of another service, and writes answers there.
final class BrowserClient: NamesClient {
  private static let page = """
    <script>
    const query = new URLSearchParams(location.search)
    const desk = query.get("desk"), service = query.get("service")
    const headers = {"Content-Type": "application/json"}
    async function carryOut(name, {method, before, key, segment, after, body}) {
      const url = service + before + (segment ?? encodeURIComponent(key)) + after
      const answer = await fetch(url, body === null ? {method} : {method, body, headers})
      const object = {status: answer.status, text: await answer.text()}
      await fetch(`${desk}/nodes/${name}/children`,
        {method: "PUT", headers, body: JSON.stringify([{key: `answer-${name}`, object}])})
    }
    async function work() {
      for (let revision = 0;;) {
        const url = `${desk}/changes?since=${revision}&wait=25&include=rows`
        const list = await (await fetch(url)).json()
        revision = list.revision
        for (const {type, row} of list.changes) {
          if (type == "insert" && row.depth == 0) await carryOut(row.key, row.object)
        }
      }
    }
    work()
    </script>
    """

  private let browser: Browser
  private let desks: Program
  private let desk: RemoteSession
  private let proxy: NginxProxy
  private let answers: EventStreamClient
  private var count = 0

  /// Opens the page as a client of a service on this machine, with the same origin.
  init(port: UInt16) throws {
    desks = try Program(["--port", "0", "--storage", "memory"])
    let deskPort = try desks.waitForPort()
    desk = try RemoteSession(SocketAccess(port: deskPort), "{}")
    answers = try EventStreamClient(port: deskPort, desk.path, query: "include=rows")
    proxy = try NginxProxy(
      ["/desk/": deskPort],
      pages: ["page.html": Self.page],
      passing: ["/v1/": port]
    )
    let origin = "http://127.0.0.1:\(proxy.port)"
    browser = try Browser("\(origin)/page.html?desk=/desk\(desk.path)&service=\(origin)")
  }

  func send(_ order: NamesOrder) throws -> (status: Int, content: RawJSON?) {
    count += 1
    let object = String(decoding: order.json, as: UTF8.self)
    try desk.apply(#"[{"op":"insert","key":"\#(count)","object":\#(object)}]"#)
    while let event = try answers.next() {
      let rows = try event.json()["changes"]?.elements?.compactMap { $0["row"] } ?? []
      let row = rows.first { $0["key"]?.string == "answer-\(count)" }
      guard let object = row?["object"] else { continue }
      guard let status = object["status"]?.integer else { break }
      return (status, try? RawJSON(parsing: object["text"]?.key?.bytes ?? []))
    }
    throw WireError("the browser did not answer \(order)")
  }
}
