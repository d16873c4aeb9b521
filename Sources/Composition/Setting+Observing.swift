extension Setting {
  /// The settings of the access log.
  static let observing = [
    text("accessLog", \.accessLog, "off, stderr, or a file for one JSON line per request"),
    integer(
      "maxUnwrittenLogBytes",
      \.maxUnwrittenLogBytes,
      4_096...1_099_511_627_776,
      "maximum size of log lines that wait to be written in bytes; further lines are dropped"
    ),
  ]
}
