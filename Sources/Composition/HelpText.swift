/// Returns the answer to `--help`: the usage, and each setting with its flag, default, range and
/// meaning.
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
          read settings from a JSON file, such as Config/server.json; by default from the
          file that \(EnvironmentVariables.configurationVariable) names
      --check
          print the resulting configuration, check the stored trees, and exit
      --copy-to STORAGE
          copy all that is stored to an empty sqlite:FOLDER or postgresql://…, and exit
      --version
          print the version and exit
      --help
          print this text and exit

    Each setting is a flag (--max-body-bytes), an environment variable
    (\(Setting.variablePrefix)MAX_BODY_BYTES) and a member of the file (maxBodyBytes). A flag takes
    precedence over the environment, the environment over the file, and the file over the default.
    \(EnvironmentVariables.keysVariable) has more API keys, each id:secret or id:secret:scopes, in
    addition to those of --keys-file.
    Sockets that a service manager passes (LISTEN_FDS) replace host, port and unixSocket.

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
    guard case .integer(_, let range, _) = self else { return "" }
    return "\(range.lowerBound) to \(range.upperBound), "
  }
}

/// The version of the program, the same as in `openapi.yaml`.
let programVersion = "0.2.0"
