import Glibc

/// Runs other programs.
enum Shell {
  /// Returns true if a program is installed.
  static func has(_ program: String) -> Bool { run("command -v \(program)").status == 0 }

  /// Runs a command and waits for its end.
  ///
  /// - Parameter command: A shell command.
  /// - Returns: The status, which is 0 for success, and the standard output.
  static func run(_ command: String) -> (status: Int32, output: String) {
    guard let stream = unsafe popen(command, "r") else { return (-1, "") }
    var output: [UInt8] = []
    var next = unsafe fgetc(stream)
    while next >= 0 {
      output.append(UInt8(truncatingIfNeeded: next))
      next = unsafe fgetc(stream)
    }
    return (unsafe pclose(stream), String(decoding: output, as: UTF8.self))
  }
}
