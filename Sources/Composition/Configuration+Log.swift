internal import HTTPServer

/// An error that prevents writing the access log.
struct LogError: Error, Equatable {
  /// The path of the file.
  let path: String
  /// The error of the system.
  let error: SystemError
}

extension Configuration {
  /// Opens the access log; nil if it is off.
  ///
  /// - Throws: ``LogError``.
  func openAccessLog() throws(LogError) -> AccessLog? {
    guard accessLog != "off" else { return nil }
    do throws(SystemError) {
      return try AccessLog(to: accessLog == "stderr" ? .standardError : .file(accessLog))
    } catch {
      throw LogError(path: accessLog, error: error)
    }
  }
}
