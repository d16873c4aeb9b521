internal import HTTPServer

/// An error that prevents writing the access log.
struct LogError: Error, Equatable {
  /// The path of the file.
  let path: String
  /// The error of the system.
  let error: SystemError
}

extension AccessLog {
  /// Opens the access log at a path, or `stderr`; nil if it is `off`.
  ///
  /// - Throws: ``LogError``.
  static func open(_ path: String) throws(LogError) -> AccessLog? {
    guard path != "off" else { return nil }
    do throws(SystemError) {
      return try AccessLog(to: path == "stderr" ? .standardError : .file(path))
    } catch {
      throw LogError(path: path, error: error)
    }
  }
}
