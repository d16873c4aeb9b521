/// The access that browsers give pages of other origins to responses (WHATWG Fetch, 3.2).
package struct CrossOriginPolicy: Sendable {
  /// The origins that may read responses.
  package let origins: WebOrigins
  /// The `Access-Control-Expose-Headers` line, preceded by the end of the line before it.
  let exposure: [UInt8]

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - origins: The origins that may read responses.
  ///   - names: The fields they may read, in addition to those that any page may read.
  package init(origins: WebOrigins, exposing names: [FieldName]) {
    self.origins = origins
    exposure =
      Array("\r\nAccess-Control-Expose-Headers: ".utf8)
      + names.map(\.bytes).joined(separator: ", ".utf8)
  }
}
