import HTTP

private func chunked(_ content: String) -> String { with("Transfer-Encoding: chunked") + content }

/// Requests one byte or field over a limit that is small, so that all splits can be tested.
let limitRefusals: [RefusalCase] = [
  RefusalCase("a long request line", get("/23456789"), .requestLineTooLong(limit: 21))
    .within { $0.maxRequestLineBytes = 21 },
  RefusalCase(
    "many parameters",
    get("/?" + String(repeating: "a&", count: 257)),
    .tooManyParameters(limit: 256)
  ),
  RefusalCase("a long header section", with("A: 3456789", "GET"), .headerTooLarge(limit: 30))
    .within { $0.maxHeaderBytes = 30 },
  RefusalCase(
    "an endless field",
    "GET / HTTP/1.1\r\n\(host)A: 34567890",
    .headerTooLarge(limit: 28)
  )
  .within { $0.maxHeaderBytes = 28 },
  RefusalCase("many fields", with("A: b\r\nC: d", "GET"), .tooManyFields(limit: 2))
    .within { $0.maxHeaderFields = 2 },
  RefusalCase("many trailers", chunked("0\r\na:\r\nb:\r\nc:\r\n\r\n"), .tooManyFields(limit: 2))
    .within { $0.maxHeaderFields = 2 },
  RefusalCase("a long extension", chunked("1;23456\r\n"), .chunkOverheadTooLarge(limit: 5))
    .within { $0.maxChunkOverheadBytes = 5 },
  RefusalCase(
    "extensions that are long together",
    chunked("1;23\r\nx\r\n1;56\r\n"),
    .chunkOverheadTooLarge(limit: 5)
  )
  .within { $0.maxChunkOverheadBytes = 5 },
  RefusalCase(
    "an extension and trailers that are long together",
    chunked("1;23\r\nx\r\n0\r\na:\r\n\r\n"),
    .chunkOverheadTooLarge(limit: 6)
  )
  .within { $0.maxChunkOverheadBytes = 6 },
  RefusalCase(
    "more content than may be",
    with("Content-Length: 4"),
    .contentTooLarge(limit: 3)
  )
  .within { $0.maxBodyBytes = 3 },
]

/// Requests that are refused because nothing follows them in time.
let lateRefusals: [RefusalCase] = [
  RefusalCase("half a request line", "GET /", .headTimeout).followed(bySilenceOf: 10_000),
  RefusalCase("half a head", "GET / HTTP/1.1\r\n\(host)", .headTimeout)
    .followed(bySilenceOf: 10_000),
  RefusalCase("no content", with("Content-Length: 1"), .bodyTimeout)
    .followed(bySilenceOf: 10_000),
  RefusalCase("half a chunk", chunked("2\r\nx"), .bodyTimeout).followed(bySilenceOf: 10_000),
]
