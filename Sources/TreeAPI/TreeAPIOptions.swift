public import HTTP

/// How the API takes requests that are large, and answers that take time, and from whom.
public struct TreeAPIOptions: Equatable, Sendable {
  /// The longest a request for changes may have itself held, in seconds.
  public var maxWaitSeconds = 60
  /// How long a stream of events is silent at most, in seconds; 1 or more.
  public var heartbeatSeconds = 15
  /// The most bytes of a body that is collected, where the API itself does that.
  public var maxBodyBytes = 16_777_216
  /// The most bytes of a body that nobody reads and that is let pass, so that the connection can go
  /// on.
  public var maxUnreadBytes = 65_536
  /// The processor time that the work of one request may use on worker threads, in seconds.
  public var maxRequestSeconds = 30
  /// The most bytes of an import.
  public var maxImportBytes = 4_294_967_296
  /// The most bytes that imports hold together until they are brought in.
  public var maxHeldImportBytes = 4_294_967_296
  /// The most nodes of an import.
  public var maxImportNodes = 10_000_000
  /// The most bytes a body may have to be worked at where it came in.
  public var heavyBodyBytes = 65_536
  /// The keys of those who may ask for everything; without any, everybody may.
  public var keys = AccessKeys()
  /// Whose web pages may use the service.
  public var origins = WebOrigins()

  /// The defaults.
  public init() {}
}
