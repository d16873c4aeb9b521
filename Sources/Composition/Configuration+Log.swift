internal import HTTPServer

/// Why there is no access log.
struct LogError: Error, Equatable {
  /// The file that was to be opened.
  let path: String
  /// What the system says.
  let error: SystemError
}

extension Configuration {
  /// Opens the access log; nil where none is wanted.
  ///
  /// - Throws: ``LogError``.
  func openAccessLog() throws(LogError) -> AccessLog? {
    guard accessLog != "off" else { return nil }
    do throws(SystemError) {
      return try AccessLog(
        to: accessLog == "stderr" ? .standardError : .file(accessLog),
        maxQueueBytes: maxUnwrittenLogBytes
      )
    } catch {
      throw LogError(path: accessLog, error: error)
    }
  }
}
