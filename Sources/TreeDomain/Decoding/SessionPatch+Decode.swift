import JSON

extension SessionPatch {
  /// Reads the body of `PATCH /v1/sessions/{session}`.
  ///
  /// - Parameters:
  ///   - body: The whole body.
  ///   - limits: The limits of the body.
  /// - Returns: The changes.
  /// - Throws: `malformed-json` or `invalid-request`, with a pointer to the fault.
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
