import JSON

extension SessionPatch {
  /// Reads the body of `PATCH /v1/sessions/{session}`.
  ///
  /// - Parameters:
  ///   - body: The whole body.
  ///   - limits: What is allowed.
  /// - Returns: What is to be changed.
  /// - Throws: `malformed-json` or `invalid-request`, with the place the fault is at.
  /// - Complexity: O(length of the body).
  public static func decode(
    body: [UInt8],
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> SessionPatch {
    try BodyDecoder.decode(body, limits) { decoder throws(ServiceError) in
      var patch = SessionPatch()
      var seen = SeenMembers()
      try decoder.cursor.beginObject()
      while let option = try decoder.cursor.nextField(of: OptionField.table, &seen) {
        try decoder.read(option, &patch)
      }
      try decoder.cursor.finish()
      patch.body = body
      return patch
    }
  }
}
