extension ExchangeRecord {
  /// The exchange as a line of JSON, its end included, for who keeps a log of them.
  ///
  /// Nothing of it can be a secret, unless one stands in a path: neither fields nor content, and no
  /// query. Nothing that a client chose can end the line or the text it stands in.
  ///
  /// - Parameters:
  ///   - route: The text of its route label.
  ///   - remote: The address it came from.
  ///   - unixMilliseconds: When it was over.
  ///   - nanoseconds: How long it took.
  /// - Returns: The line.
  public func logLine(
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
