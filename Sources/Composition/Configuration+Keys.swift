internal import TreeAPI

extension Configuration {
  /// Reads the keys in the environment variable and in the file.
  ///
  /// Both are valid.
  ///
  /// - Parameters:
  ///   - variable: The value of the variable; nil if it is not set.
  ///   - contents: Returns the content of the file at a path.
  /// - Throws: ``ConfigurationError`` if the file cannot be read, or if a key is malformed.
  mutating func readKeys(
    _ variable: [UInt8]?,
    _ contents: (String) throws(ConfigurationError) -> [UInt8]
  ) throws(ConfigurationError) {
    if let variable {
      try Self.addKeys(to: &environmentKeys, of: EnvironmentVariables.keysVariable, by: "word") {
        keys throws(AccessKeys.Fault) in
        try keys.add(words: variable)
      }
    }
    keys = try allKeys(contents)
  }

  /// Reads the file of keys again, and replaces the former keys.
  ///
  /// The keys of the environment stay. If the file is at fault, nothing changes.
  ///
  /// - Parameter ring: The keys of the running service.
  /// - Returns: A sentence for the operator; nil if there is no file of keys.
  func reloadKeys(of ring: KeyRing) -> String? {
    guard !keysFile.isEmpty else { return nil }
    do throws(ConfigurationError) {
      let keys = try allKeys { (path) throws(ConfigurationError) in
        // A pipe was consumed at the start, and reading it again may block for ever.
        guard isOrdinaryFile(path) != false else {
          throw .unreadable(path: path, reason: "it is no ordinary file")
        }
        return try readFile(path, limit: Self.maxFileBytes)
      }
      ring.replace(with: keys)
      return "\(keysFile) was read anew; the number of valid keys is \(keys.count)"
    } catch {
      return "\(error); the keys stay as they were"
    }
  }

  /// Returns the keys of the environment and of the file.
  private func allKeys(
    _ contents: (String) throws(ConfigurationError) -> [UInt8]
  ) throws(ConfigurationError) -> AccessKeys {
    var keys = environmentKeys
    guard !keysFile.isEmpty else { return keys }
    let lines = try contents(keysFile)
    try Self.addKeys(to: &keys, of: keysFile, by: "line") { keys throws(AccessKeys.Fault) in
      try keys.add(lines: lines)
    }
    return keys
  }

  /// A warning for the operator if other users may read or write the file of keys; otherwise nil.
  ///
  /// This is no error: secrets that are mounted into a container often have such permissions, and
  /// the container has no other users.
  var keysFileWarning: String? {
    guard !keysFile.isEmpty, let mode = permissions(ofFile: keysFile), mode & 0o066 != 0 else {
      return nil
    }
    return """
      the keys in \(keysFile) can be read or changed by other users of this machine (mode \
      \(String(mode, radix: 8))); chmod 600 \(keysFile)
      """
  }

  private static func addKeys(
    to keys: inout AccessKeys,
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
