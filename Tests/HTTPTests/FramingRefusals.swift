import HTTP

private func chunked(_ content: String) -> String { with("Transfer-Encoding: chunked") + content }

let framingRefusals: [RefusalCase] =
  [
    "+5", "-5", "-0", "0x5", "0_5", "5.0", "5e0", "", "\"5\"", "５", "٣", "5 5", "5, 5", "5,", ",5",
    "5;", "5\u{A0}", "9223372036854775808", "18446744073709551616", "99999999999999999999999999",
  ]
  .map { RefusalCase("length \($0)", with("Content-Length: \($0)"), .malformedContentLength) }
  + [
    "chunked, gzip", "identity", "gzip", "chunked, chunked", "", ",chunked", "\"chunked\"",
    "chunked;q=1", "\u{A0}chunked", "xchunked", "chunked x", "x chunked", "'chunked'", "chunke",
    "chun\u{212A}ed", "gzip chunked", "chunked,",
  ]
  .map { RefusalCase("coding \($0)", with("Transfer-Encoding: \($0)"), .malformedTransferEncoding) }
  + [
    RefusalCase("VT before a length", with("Content-Length: \u{B}5"), .controlCharacter),
    RefusalCase("VT before a coding", with("Transfer-Encoding: \u{B}chunked"), .controlCharacter),
    RefusalCase("NUL after a coding", with("Transfer-Encoding: chunked\0"), .controlCharacter),
    RefusalCase(
      "two lengths",
      with("Content-Length: 1\r\nContent-Length: 2"),
      .repeatedContentLength
    ),
    RefusalCase(
      "the same length twice",
      with("Content-Length: 1\r\nContent-Length: 1"),
      .repeatedContentLength
    ),
    RefusalCase(
      "both framings",
      with("Content-Length: 1\r\nTransfer-Encoding: chunked"),
      .conflictingFraming
    ),
    RefusalCase(
      "both framings, the other way round",
      with("Transfer-Encoding: chunked\r\nContent-Length: 0"),
      .conflictingFraming
    ),
    RefusalCase(
      "an unknown coding before",
      with("Transfer-Encoding: gzip, chunked"),
      .unknownTransferCoding
    ),
    RefusalCase(
      "two fields",
      with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
      .malformedTransferEncoding
    ),
    RefusalCase(
      "two fields that make a list",
      with("Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked"),
      .malformedTransferEncoding
    ),
    RefusalCase(
      "chunks in HTTP/1.0",
      "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
      .transferEncodingInHTTP10
    ),
    RefusalCase(
      "too much content",
      with("Content-Length: 16777217"),
      .contentTooLarge(limit: 16_777_216)
    ),
    RefusalCase(
      "far too much content",
      with("Content-Length: 9223372036854775807"),
      .contentTooLarge(limit: 16_777_216)
    ),
    RefusalCase(
      "too much content, not sent",
      with("Content-Length: 16777217\r\nExpect: 100-continue"),
      .contentTooLarge(limit: 16_777_216)
    ),
  ]

let chunkRefusals: [RefusalCase] =
  [
    "0x5", "+5", "-5", "5_", " 5", "5 ", "5\t", "5 ;a", "", ";a", "g", "5g", "５",
    "10000000000000000", "00000000000000000", "8000000000000000", "ffffffffffffffff",
  ]
  .map { RefusalCase("size \($0)", chunked("\($0)\r\n"), .malformedChunkSize) }
  + [
    "1;", "1; ", "1;;", "1;;a", "1;a;", "1; ;a", "1;=b", "1;a=", "1;a=;b", "1;a b", "1;a ",
    "1;a=b c",
    "1;a=b=c", "1;a=\"", "1;a=\"b", "1;a=\"b\\\"", "1;a=\"b\"c", "1;a=\"b\" ", "1;\"a\"", "1;a,b",
    "1;\u{E9}", "0;",
  ]
  .map {
    RefusalCase("extension \($0)", chunked("\($0)\r\nx\r\n0\r\n\r\n"), .malformedChunkExtension)
  }
  + [
    RefusalCase("data longer than its size", chunked("2\r\nabc\r\n"), .malformedChunk),
    RefusalCase("data shorter than its size", chunked("2\r\na\r\n0\r\n"), .malformedChunk),
    RefusalCase("data closed by LF", chunked("2\r\nab\n0\r\n\r\n"), .malformedChunk),
    RefusalCase("data closed by CR", chunked("2\r\nab\r0\r\n\r\n"), .malformedChunk),
    RefusalCase("size ended by LF", chunked("2\nab\r\n"), .malformedChunkSize),
    RefusalCase("size ended by CR", chunked("2\rab\r\n"), .bareCarriageReturn),
    RefusalCase("extension ended by LF", chunked("2;a\nab\r\n"), .bareLineFeed),
    RefusalCase("CR in an extension", chunked("2;a\rb\r\n"), .bareCarriageReturn),
    RefusalCase("NUL in an extension", chunked("2;a\0\r\nab\r\n"), .controlCharacter),
    RefusalCase("too large a chunk", chunked("1000001\r\n"), .contentTooLarge(limit: 16_777_216)),
    RefusalCase(
      "the largest chunk there may be",
      chunked("7fffffffffffffff\r\n"),
      .contentTooLarge(limit: 16_777_216)
    ),
    RefusalCase(
      "too large together",
      chunked("1\r\nx\r\n1000000\r\n"),
      .contentTooLarge(limit: 16_777_216)
    ),
  ]

let trailerRefusals: [RefusalCase] = [
  RefusalCase("a folded trailer", chunked("0\r\n a: b\r\n\r\n"), .foldedField),
  RefusalCase("a trailer folded later", chunked("0\r\na: b\r\n c\r\n\r\n"), .foldedField),
  RefusalCase("a trailer without colon", chunked("0\r\na\r\n\r\n"), .malformedFieldLine),
  RefusalCase("a trailer without name", chunked("0\r\n: b\r\n\r\n"), .malformedFieldLine),
  RefusalCase(
    "space before a trailer's colon",
    chunked("0\r\na : b\r\n\r\n"),
    .whitespaceBeforeColon
  ),
  RefusalCase("NUL in a trailer", chunked("0\r\na: \0\r\n\r\n"), .controlCharacter),
  RefusalCase("a trailer ended by LF", chunked("0\r\na: b\n\r\n"), .bareLineFeed),
  RefusalCase("CR in a trailer", chunked("0\r\na: b\rc\r\n\r\n"), .bareCarriageReturn),
  RefusalCase("LF after trailers", chunked("0\r\n\n"), .malformedFieldLine),
]
