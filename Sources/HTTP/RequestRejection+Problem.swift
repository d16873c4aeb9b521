extension RequestRejection {
  /// The problem for a request that breaks this rule.
  package var problem: Problem {
    var problem = Problem(code, detail: detail)
    if let limit { problem.members.append(("limit", .integer(limit))) }
    return problem
  }

  /// Returns the problem for a request to another server, with the host that it named.
  ///
  /// - Parameter host: The host; only printable ASCII of its first 100 bytes is shown.
  /// - Returns: The problem, which names the setting for allowed hosts.
  static func misdirected(to host: some Collection<UInt8>) -> Problem {
    let shown = String(decoding: host.prefix(100).filter { 0x21...0x7E ~= $0 }, as: UTF8.self)
    return Problem(
      .misdirectedRequest,
      detail: "This server does not answer to the host \(shown)\(host.count > 100 ? "…" : ""). "
        + "Use a name it answers to, or add this one to its setting allowedHosts."
    )
  }

  /// The code of the problem, which determines the status.
  package var code: ProblemCode {
    switch self {
    case .requestLineTooLong, .tooManyParameters: .uriTooLong
    case .headerTooLarge, .tooManyFields, .chunkOverheadTooLarge: .headerFieldsTooLarge
    case .contentTooLarge: .contentTooLarge
    case .unsupportedVersion: .versionNotSupported
    case .unknownMethod, .tunnelRefused, .unknownTransferCoding: .notImplemented
    case .misdirected: .misdirectedRequest
    case .unknownExpectation: .expectationFailed
    case .headTimeout, .bodyTimeout: .requestTimeout
    default: .invalidRequest
    }
  }

  private var limit: Int? {
    switch self {
    case .requestLineTooLong(let limit), .tooManyParameters(let limit),
      .headerTooLarge(let limit), .tooManyFields(let limit), .contentTooLarge(let limit),
      .chunkOverheadTooLarge(let limit):
      limit
    default: nil
    }
  }

  /// A sentence that tells the client what to do.
  private var detail: String {
    switch self {
    case .malformedRequestLine: "Write the request line as method, target and version."
    case .requestLineTooLong(let limit): "Keep the request line within \(limit) bytes."
    case .tooManyParameters(let limit): "Send at most \(limit) query parameters."
    case .bareLineFeed: "End every line with CR LF."
    case .bareCarriageReturn: "Send CR only as part of CR LF."
    case .controlCharacter: "Send no control characters in the message head."
    case .malformedVersion: "Write the version as HTTP/1.1."
    case .unsupportedVersion: "Use HTTP/1.1."
    case .malformedTarget:
      "Write the request target as a path with an optional query, other characters as %XX."
    case .malformedPercentEncoding: "Write % in the target as two hexadecimal digits, never %00."
    case .targetNotUTF8: "Encode the target as UTF-8 before percent-encoding it."
    case .unknownMethod: "Use one of the methods of RFC 9110 or PATCH."
    case .tunnelRefused: "This server is no proxy; send the request itself."
    case .malformedFieldLine: "Write each header field as name, colon and value."
    case .whitespaceBeforeColon: "Leave no space between a field's name and its colon."
    case .foldedField: "Write each header field on one line, beginning with its name."
    case .headerTooLarge(let limit): "Keep the header section within \(limit) bytes."
    case .tooManyFields(let limit): "Send at most \(limit) header fields."
    case .missingHost: "Send a Host field."
    case .repeatedHost: "Send only one Host field."
    case .malformedHost: "Write Host as a host name or address with an optional port."
    case .misdirected: "Use http: this connection is not encrypted."
    case .malformedContentLength: "Write Content-Length as decimal digits."
    case .repeatedContentLength: "Send Content-Length once."
    case .conflictingFraming: "Send either Content-Length or Transfer-Encoding."
    case .transferEncodingInHTTP10: "Send Content-Length with HTTP/1.0."
    case .malformedTransferEncoding: "Send Transfer-Encoding once, as chunked."
    case .unknownTransferCoding: "Use no transfer coding but chunked."
    case .contentTooLarge(let limit): "Keep the content within \(limit) bytes."
    case .malformedChunkSize: "Write a chunk's size as at most 16 hexadecimal digits."
    case .malformedChunkExtension:
      "Write a name behind each \";\" of a chunk's size, perhaps with \"=\" and a value."
    case .malformedChunk: "Close each chunk with CR LF where its size says it ends."
    case .chunkOverheadTooLarge(let limit):
      "Keep chunk extensions and trailers within \(limit) bytes in total."
    case .unknownExpectation: "Expect nothing but 100-continue."
    case .headTimeout: "Send the whole message head without delay."
    case .bodyTimeout: "Send the whole content without delay."
    }
  }
}
