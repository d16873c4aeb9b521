// Requests about the service. Each method has the name of its operation in `openapi.yaml`.
extension TreeClient {
  /// Checks that the service is alive, and throws otherwise.
  public func getHealth(_ options: RequestOptions = RequestOptions()) async throws {
    try await run(Call(.getHealth, options)) { _ in }
  }

  /// Checks that the service accepts changes, and throws otherwise.
  public func getReadiness(_ options: RequestOptions = RequestOptions()) async throws {
    try await run(Call(.getReadiness, options)) { _ in }
  }

  /// Reads the metrics of the service, in the text format of Prometheus.
  public func getMetrics(_ options: RequestOptions = RequestOptions()) async throws -> String {
    try await text(.getMetrics, [], options)
  }

  /// Reads the description of the API, `openapi.yaml`.
  public func getDescription(_ options: RequestOptions = RequestOptions()) async throws -> String {
    try await text(.getDescription, [], options)
  }

  /// Reads the explanation of a problem's code.
  public func getProblem(
    _ code: String,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> String {
    try await text(.getProblem, [code], options)
  }

  /// Reads a file of the JavaScript client.
  public func getClientFile(
    _ file: String,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> String {
    try await text(.getClientFile, [file], options)
  }

  /// Reads the page to which `/` redirects browsers.
  public func getStart(_ options: RequestOptions = RequestOptions()) async throws -> String {
    try await text(.getStart, [], options)
  }

  /// Reads the page of the explorer, by its path without the slash at the end.
  public func getExplorerStart(
    _ options: RequestOptions = RequestOptions()
  ) async throws -> String {
    try await text(.getExplorerStart, [], options)
  }

  /// Reads the page of the explorer.
  public func getExplorer(_ options: RequestOptions = RequestOptions()) async throws -> String {
    try await text(.getExplorer, [], options)
  }

  /// Reads a file of the explorer.
  public func getExplorerFile(
    _ file: String,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> String {
    try await text(.getExplorerFile, [file], options)
  }

  private func text(
    _ route: Route,
    _ values: [String],
    _ options: RequestOptions
  ) async throws -> String {
    try await run(Call(route, values, [:], options)) { String(decoding: $0, as: UTF8.self) }
  }
}
