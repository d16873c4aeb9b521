/// The answer to `--help`: usage, and every setting with its flag, default, range and meaning.
func helpText() -> String {
  let defaults = Configuration()
  let settings = Setting.all.map { setting in
    let value = "\(setting.value(in: defaults))"
    let builtIn = value.isEmpty ? "empty" : value
    return """
        \(setting.flag) \(setting.field.placeholder)
            \(setting.summary) (\(setting.field.rangeText)default \(builtIn))
      """
  }
  return """
    usage: tree-server [--config FILE] [--check] [--copy-to STORAGE] [--version] [--help]
                       [settings]

      --config FILE
          read settings from a JSON file, such as Config/server.json; else from that of
          \(EnvironmentVariables.configurationVariable)
      --check
          print the settled configuration, verify what is stored, and stop
      --copy-to STORAGE
          copy all that is stored to sqlite:FOLDER or postgresql://…, which is empty, and stop
      --version
          print the version and stop
      --help
          print this and stop

    Each setting is a flag, an environment variable (--max-body-bytes is
    \(Setting.variablePrefix)MAX_BODY_BYTES) and a member of the file (maxBodyBytes). A flag wins
    over the environment, the environment over the file, the file over the default.
    \(EnvironmentVariables.keysVariable) has keys, id:secret or id:secret:scopes, beside those of
    --keys-file.
    Sockets that a service manager passes (LISTEN_FDS) take the place of host, port and unixSocket.

    \(settings.joined(separator: "\n"))

    """
}

extension Setting.Field {
  fileprivate var placeholder: String {
    switch self {
    case .text: "TEXT"
    case .integer: "N"
    case .boolean: "[true|false]"
    }
  }

  fileprivate var rangeText: String {
    guard case .integer(_, let range) = self else { return "" }
    return "\(range.lowerBound) to \(range.upperBound), "
  }
}
