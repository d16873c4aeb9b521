internal import TreeAPI

extension Configuration {
  /// Reads the keys of the file and of the environment variable; both are valid.
  ///
  /// - Parameters:
  ///   - variable: What the variable has; nil if it is not set.
  ///   - contents: Gives the bytes of a file, given its path.
  /// - Throws: ``ConfigurationError``: a file that cannot be read, or a faulty key.
  mutating func readKeys(
    _ variable: [UInt8]?,
    _ contents: (String) throws(ConfigurationError) -> [UInt8]
  ) throws(ConfigurationError) {
    if !keysFile.isEmpty {
      let lines = try contents(keysFile)
      try addKeys(of: keysFile, by: "line") { keys throws(AccessKeys.Fault) in
        try keys.add(lines: lines)
      }
    }
    guard let variable else { return }
    try addKeys(of: EnvironmentVariables.keysVariable, by: "word") {
      keys throws(AccessKeys.Fault) in
      try keys.add(words: variable)
    }
  }

  /// What to tell the operator where other users may read the file of keys, or write it; nil where
  /// they may not.
  ///
  /// No refusal: what mounts secrets into a container often has them so, and nobody else is there.
  var keysFileWarning: String? {
    guard !keysFile.isEmpty, let mode = permissions(ofFile: keysFile), mode & 0o066 != 0 else {
      return nil
    }
    return """
      the keys in \(keysFile) can be read or changed by other users of this machine (mode \
      \(String(mode, radix: 8))); chmod 600 \(keysFile)
      """
  }

  private mutating func addKeys(
    of source: String,
    by unit: String,
    _ add: (inout AccessKeys) throws(AccessKeys.Fault) -> Void
  ) throws(ConfigurationError) {
    do throws(AccessKeys.Fault) {
      try add(&keys)
    } catch {
      throw .faultyKey(source: source, unit: unit, error)
    }
  }
}
