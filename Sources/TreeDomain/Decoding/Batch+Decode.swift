extension Batch {
  /// Reads the body of `POST …/batch`.
  ///
  /// - Parameters:
  ///   - body: The whole body. The batch keeps it, so that nothing is copied.
  ///   - limits: The limits of the body.
  /// - Returns: The batch.
  /// - Throws: `malformed-json`, `invalid-request`, `unknown-operation` or `content-too-large`,
  ///   with the index of the operation and a pointer to the fault.
  /// - Complexity: O(length of the body).
  package static func decode(
    body: [UInt8],
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> Batch {
    try BodyCursor.preferringSyntaxFaults(of: body, limits) { () throws(ServiceError) in
      var decoder = BatchDecoder(body, limits)
      try decoder.readBatch()
      return decoder.finish(Batch.Source(bodyCount: body.count))
    }
  }

  /// Reads a request of a single operation.
  ///
  /// - Parameters:
  ///   - single: The operation.
  ///   - key: The decoded key of the path; `nil` for operations without a key.
  ///   - section: The section whose roots are set; `nil` for all roots.
  ///   - body: The whole body with the other members of the operation. It may be empty, except for
  ///     a patch and for children.
  ///   - limits: The limits of the body.
  /// - Returns: A batch of the one operation.
  /// - Precondition: There is a key exactly if ``SingleOperation/hasKey`` is true. There is a
  ///   section only for ``SingleOperation/setRoots``.
  /// - Throws: `malformed-json`, `invalid-request` or `content-too-large`.
  /// - Complexity: O(length of the body).
  package static func decode(
    _ single: SingleOperation,
    key: [UInt8]?,
    section: [UInt8]? = nil,
    body: [UInt8] = [],
    limits: DecodingLimits = DecodingLimits()
  ) throws(ServiceError) -> Batch {
    precondition(single.hasKey == (key != nil) && (section == nil || single == .setRoots))
    if let key {
      try KeyRules.check(key, limits)
      if single == .put, limits.requiresSafeNames, !KeyRules.isSafe(key) {
        throw ServiceError(.invalidRequest, KeyRules.safetyAdvice)
      }
    }
    if let section { try SectionRules.check(section) }
    return try BodyCursor.preferringSyntaxFaults(of: body, limits) { () throws(ServiceError) in
      var decoder = BatchDecoder(body, limits)
      let named = (key ?? section).map { decoder.cursor.append($0) }
      try decoder.read(single, named)
      return decoder.finish(Batch.Source(single: single, named: named, bodyCount: body.count))
    }
  }
}
