extension ExchangeRecord {
  /// Returns the exchange as a line of JSON, with its line feed, for an access log.
  ///
  /// It contains no header fields, content or query, and therefore no secret unless one is in a
  /// path. All text from the client is escaped, so that it cannot end the line or a string.
  ///
  /// - Parameters:
  ///   - route: The text of the route label.
  ///   - remote: The address of the client.
  ///   - unixMilliseconds: The time when the exchange ended.
  ///   - nanoseconds: The duration of the exchange.
  /// - Returns: The line.
  package func logLine(
    route: String,
    remote: String,
    unixMilliseconds: Int,
    nanoseconds: Int
  ) -> [UInt8] {
    var line = LogLine()
    line.add("time", text: Timestamp.rfc3339(unixMilliseconds: unixMilliseconds).span)
    var name: [UInt8] = []
    id.append(to: &name)
    line.add("request", text: name.span)
    if let trace {
      line.add("trace", text: trace.trace.span)
      line.add("span", text: trace.span.span)
    }
    line.add("remote", text: remote.utf8.span)
    if let method {
      line.add("method", text: method.rawValue.utf8.span)
    } else {
      line.addNull("method")
    }
    let path = path
    if path.isEmpty { line.addNull("path") } else { line.add("path", text: path.span) }
    line.add("route", text: route.utf8.span)
    line.add("status", status?.code)
    line.add("requestBytes", requestBytes)
    line.add("answerBytes", answerBytes)
    line.add("milliseconds", thousandths: nanoseconds / 1_000)
    if let caller { line.add("key", text: caller.utf8.span) }
    line.add("complete", isComplete)
    return line.finish()
  }
}
