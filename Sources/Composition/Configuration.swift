internal import HTTP
internal import HTTPServer
internal import TreeAPI
internal import TreeDomain
internal import TreeSessions
private import JSON
private import TreeStorage

/// The settings of the service, within the options of its modules.
///
/// The default of a setting is that of the property that stores it. ``Setting/all`` has its name,
/// range and help. Properties without a row there are constants of the program.
struct Configuration: Sendable {
  /// The limits of a connection.
  var limits = Limits()
  /// The options of the server, without those that follow from other settings.
  var server = ServerOptions()
  var api = TreeAPIOptions()
  var decoding = DecodingLimits()
  /// The limits of trees and sessions; `maxMemoryBytes` is 0 for a share of the machine's memory.
  var trees = SessionLimits()

  // Addresses and access.
  var host = "127.0.0.1"
  var port = 8_080
  var unixSocket = ""
  var unixSocketMode = "600"
  var allowUnauthenticatedRemote = false
  var keysFile = ""
  var corsOrigins = ""
  var allowedHosts = ""

  // Work.
  var workers = 4
  var gzip = true
  var lameDuckSeconds = 0
  var drainSeconds = 7

  // Storage.
  var storage = "sqlite"
  var data = "data"
  var advertise = ""
  var clusterSecretFile = ""
  var minFreeBytes = 67_108_864

  var accessLog = "off"

  // The valid keys, from `keysFile` and the environment. They are no setting, so they are never
  // printed.
  var keys = AccessKeys()
  // The addresses of the sockets that a service manager passed.
  var passed: [PassedSockets.Place] = []
  // The keys of the environment, which stay when the file is read again.
  var environmentKeys = AccessKeys()
  // The secret that the instances of a cluster share, from `clusterSecretFile`.
  var clusterSecret: ClusterSecret?
  // The parsed `corsOrigins`.
  var origins = WebOrigins()

  /// Makes the defaults.
  init() { trees.maxMemoryBytes = 0 }
}

extension Configuration: Equatable {
  /// Returns true if all settings, keys and passed addresses are equal.
  static func == (left: Configuration, right: Configuration) -> Bool {
    Setting.all.allSatisfy { $0.value(in: left) == $0.value(in: right) }
      && left.keys == right.keys && left.passed == right.passed
      && left.clusterSecret == right.clusterSecret
  }
}

extension Configuration {
  /// Returns the settings as the text of a configuration file, one on each line.
  ///
  /// The password of a database is left out.
  ///
  /// For the built-in defaults, the text is identical to `Config/server.json`.
  func rendered() -> String { rendered(Setting.all) }

  /// Returns the settings that differ from their defaults, in the same form; nil if none differs.
  func renderedDifferences() -> String? {
    let defaults = Configuration()
    let differing = Setting.all.filter { $0.value(in: self) != $0.value(in: defaults) }
    return differing.isEmpty ? nil : rendered(differing)
  }

  private func rendered(_ settings: [Setting]) -> String {
    let members = settings.map { setting in
      "  \"\(setting.name)\": \(jsonText(of: setting.value(in: self)))"
    }
    return "{\n" + members.joined(separator: ",\n") + "\n}\n"
  }

  private func jsonText(of value: SettingValue) -> String {
    var json = JSONWriter()
    switch value {
    case .text(let text): json.string(PostgreSQLStorage.masked(text))
    case .integer(let number): json.integer(number)
    case .boolean(let flag): json.boolean(flag)
    }
    return String(decoding: json.finish(), as: UTF8.self)
  }
}
