internal import HTTPServer
internal import TreeAPI

/// A fault in the configuration.
///
/// The description says what to do about it.
enum ConfigurationError: Error, Equatable {
  /// An unknown flag, environment variable or member of the file.
  case unknown(kind: String, name: String, nearest: String?)

  /// An argument that is neither a flag nor the value of one.
  case unexpectedArgument(String)

  /// A flag without its value, at the end of the command line or before another flag.
  case missingValue(String)

  /// A setting given twice in the same place.
  case givenTwice(String)

  /// A value of the wrong type.
  case wrongType(source: String, expected: String, found: String)

  /// A number outside the range of its setting.
  case outOfRange(source: String, value: Int, range: ClosedRange<Int>)

  /// A file that cannot be read, or that is larger than its limit.
  case unreadable(path: String, reason: String)

  /// A configuration file that is not one JSON object of settings.
  case malformed(path: String, reason: String)

  /// A malformed key.
  ///
  /// The description does not show the key.
  case faultyKey(source: String, unit: String, AccessKeys.Fault)

  /// An origin that is not written in the form that browsers send.
  case malformedOrigin(String)

  /// A text in `allowedHosts` that is no host name.
  case malformedHostName(String)

  /// A host that other machines can reach, without keys.
  case remoteHost(String)

  /// A passed socket that other machines can reach, without keys.
  case remoteSocket(String)

  /// Something passed by a service manager that is no listening socket.
  case faultySocket(PassedSockets.Fault)

  /// An invalid address of a service manager.
  case malformedManager(String)

  /// An invalid path of a Unix socket.
  case malformedSocketPath(String)

  /// Permissions of a Unix socket that are not three octal digits.
  case malformedSocketMode(String)

  /// A host that is no numeric address and not `localhost`.
  case malformedHost(String)

  /// An empty path of a file.
  case emptyPath(String)

  /// Neither a host nor a Unix socket.
  case nowhereToListen

  /// An unknown kind of storage.
  case unknownStorage(String)
  /// A fault in the settings of a cluster.
  case faultyCluster(ClusterFault)
  /// A copy from or to memory, or to a folder without a name.
  case uselessCopy
  /// Two folders for the storage.
  case twoFolders(String, String)
  /// An empty path of the data folder.
  case noFolder
}

extension ConfigurationError: CustomStringConvertible {
  /// A sentence for the operator.
  var description: String {
    switch self {
    case .unknown(let kind, let name, let nearest):
      let hint = nearest.map { "did you mean \($0)? " } ?? ""
      return "unknown \(kind) \(name); \(hint)--help lists every setting"
    case .unexpectedArgument(let argument):
      return "unexpected argument \(argument); settings are given as --flag value"
    case .missingValue(let flag): return "\(flag) needs a value"
    case .givenTwice(let source): return "\(source) is given twice; leave one of them out"
    case .wrongType(let source, let expected, let found):
      return "\(source) must be \(expected), not \"\(found)\""
    case .outOfRange(let source, let value, let range):
      return "\(source) must be from \(range.lowerBound) to \(range.upperBound), not \(value)"
    case .unreadable(let path, let reason):
      return "cannot read \(path): \(reason)"
    case .malformed(let path, let reason):
      return "\(path) is not a configuration: \(reason)"
    case .faultyKey(let source, let unit, let fault):
      let place = fault.place > 0 ? ", \(unit) \(fault.place)" : ""
      return "\(source)\(place): \(fault.rule.sentence)"
    case .malformedOrigin(let text):
      return """
        corsOrigins: "\(text)" is no origin; write each as browsers do, such as \
        https://app.example:8443, in lower case, without a path, a usual port, * or null
        """
    case .malformedHostName(let text):
      return """
        allowedHosts: "\(text)" is no name of a host; write each in full, as trees.example, \
        without scheme, port and *
        """
    case .remoteHost(let host):
      return """
        host \(host) can be reached from other machines, and there are no keys; give some by \
        keysFile or TREE_SERVER_KEYS, use 127.0.0.1, ::1 or localhost, or set \
        allowUnauthenticatedRemote to true where something else guards the way (a container's \
        network, a proxy)
        """
    case .remoteSocket(let place): return Self.advice(remoteSocket: place)
    case .faultySocket(let fault): return fault.sentence
    case .malformedManager(let text): return Self.advice(manager: text)
    case .malformedHost(let host):
      return "host \(host) is no address; give a numeric one, or localhost"
    case .emptyPath(let source):
      return "\(source) is empty; name a file, or leave it out"
    case .malformedSocketPath(let path):
      return """
        unixSocket: a path has at most \(LocalSocket.maxPathBytes) bytes and no NUL, and this one \
        has \(path.utf8.count) bytes; choose a shorter one
        """
    case .malformedSocketMode(let text):
      return "unixSocketMode must be three octal digits, such as 660, not \"\(text)\""
    case .nowhereToListen:
      return "host is empty; name an address to listen on, or a unixSocket"
    case .unknownStorage(let name): return Self.advice(storage: name)
    case .uselessCopy: return Self.copyAdvice
    case .faultyCluster(let fault): return fault.sentence
    case .twoFolders(let folder, let data): return Self.advice(folder: folder, data: data)
    case .noFolder: return "data is empty; name the folder where trees and sessions are kept"
    }
  }

  private static func advice(storage name: String) -> String {
    "storage must be sqlite, sqlite:FOLDER, postgresql://… or memory, not \"\(name)\""
  }

  private static func advice(folder: String, data: String) -> String {
    "storage names the folder \(folder) and data names \(data); leave one of them out"
  }

  private static let copyAdvice =
    "--copy-to copies what is stored to sqlite:FOLDER or postgresql://…, not from memory"
}

extension AccessKeys.Fault.Rule {
  /// The rule that a key breaks.
  fileprivate var sentence: String {
    switch self {
    case .noColon: "a key is written as id:secret, or as id:secret:scopes"
    case .malformedID:
      "the id of a key is 1 to 64 letters, digits, dots, dashes or underscores, and not session"
    case .malformedSecret:
      "the secret of a key is 16 to 512 letters, digits or characters of -._~+/, then perhaps ="
    case .unknownScope:
      """
      the scopes behind a secret are \
      \(KeyScope.allCases.map(\.rawValue).joined(separator: ", ")); write those you want with \
      commas and no spaces between them, or none for admin
      """
    case .repeatedSecret: "another key has this secret; give each one of its own"
    case .noKeys: "there are no keys in it; write some as id:secret, or leave the setting out"
    }
  }
}

/// A fault in the settings of a cluster.
enum ClusterFault: Equatable {
  /// An address for other instances that is not `host:port`.
  case malformedAddress(String)
  /// An address for other instances without a database.
  case noDatabase
  /// An address for other instances without a shared secret.
  case noSecret
  /// A file with a secret that is too short, or not one word.
  case malformedSecret(String)

  /// A sentence for the operator.
  var sentence: String {
    switch self {
    case .malformedAddress(let text):
      "advertise: \"\(text)\" is no numeric address; write it as 10.0.0.5:8080 or [::1]:8080"
    case .noDatabase:
      "advertise is for several instances on one database; set storage to postgresql://…"
    case .noSecret:
      """
      advertise needs a clusterSecretFile, with a secret that all instances share: \
      openssl rand -hex 32 makes one
      """
    case .malformedSecret(let path):
      "\(path) must have one word of 16 to 512 visible characters: openssl rand -hex 32 makes one"
    }
  }
}
