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
    if let variable {
      try Self.addKeys(to: &environmentKeys, of: EnvironmentVariables.keysVariable, by: "word") {
        keys throws(AccessKeys.Fault) in
        try keys.add(words: variable)
      }
    }
    keys = try allKeys(contents)
  }

  /// Reads the file of keys anew and puts its keys in the place of the former ones.
  ///
  /// Keys of the environment stay. A file at fault changes nothing.
  ///
  /// - Parameter ring: The keys of the running service.
  /// - Returns: A sentence for the operator; nil where there is no file of keys.
  func reloadKeys(of ring: KeyRing) -> String? {
    guard !keysFile.isEmpty else { return nil }
    do throws(ConfigurationError) {
      let keys = try allKeys { (path) throws(ConfigurationError) in
        // A pipe has been read, and to read it again may take for ever.
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

  /// A warning for the operator if other users may read or write the file of keys, else nil.
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
