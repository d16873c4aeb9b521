/// What browsers let pages of other origins see of answers (WHATWG Fetch, 3.2).
public struct CrossOriginPolicy: Sendable {
  /// The origins that may read answers.
  public let origins: WebOrigins
  /// The line that names the fields they may read, with the end of the line before it.
  let exposure: [UInt8]

  /// Makes a policy.
  ///
  /// - Parameters:
  ///   - origins: Who may read answers.
  ///   - names: The fields they may read, beside those that any page may.
  public init(origins: WebOrigins, exposing names: [FieldName]) {
    self.origins = origins
    exposure =
      Array("\r\nAccess-Control-Expose-Headers: ".utf8)
      + names.map(\.bytes).joined(separator: ", ".utf8)
  }
}
