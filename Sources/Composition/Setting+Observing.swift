extension Setting {
  /// The settings of the access log.
  static let observing = [
    text("accessLog", \.accessLog, "off, stderr, or a file: a line of JSON for each request"),
    integer(
      "maxUnwrittenLogBytes",
      \.maxUnwrittenLogBytes,
      4_096...1_099_511_627_776,
      "bytes of lines that may wait to be written; more are dropped, and counted"
    ),
  ]
}
