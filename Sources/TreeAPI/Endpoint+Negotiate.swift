import HTTP

extension Endpoint {
  /// Finds out whether the client and this endpoint can talk; nil if they can.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - hasBody: Whether there is a body, or will be.
  /// - Returns: Why they cannot.
  func problem(with request: Request, hasBody: Bool) -> Problem? {
    if !answerTypes.isEmpty, preferredType(for: request) == nil {
      let names = answerTypes.map(\.name).joined(separator: " or ")
      return Problem(
        .notAcceptable,
        detail: "The answer is \(names); let Accept allow that, or leave it out."
      )
    }
    if !answerTypes.isEmpty, request.isUnanswerable {
      return Problem(
        .notAcceptable,
        detail: "Let Accept-Encoding allow gzip or identity, or leave it out."
      )
    }
    // A part of what is to be put would be taken for the whole (RFC 9110, 14.5).
    if request.method == .put, request.has(.contentRange) {
      return Problem(.invalidRequest, detail: "Send all of it; leave Content-Range out.")
    }
    guard !bodyTypes.isEmpty, hasBody else { return nil }
    if readsJSON, request.isPlainJSON, !request.has(.contentEncoding) { return nil }
    return contentProblem(request)
  }

  /// The names of the media types of the body, as a list.
  var bodyTypeNames: String { bodyTypes.map(\.name).joined(separator: ", ") }

  /// The media type of the answer to a request with which there is no problem; nil where none is
  /// asked about.
  func answerType(for request: Request) -> MediaType? {
    answerTypes.count > 1 ? preferredType(for: request) : answerTypes.first
  }

  /// The media type the client wants; nil if it is none of those there are.
  private func preferredType(for request: Request) -> MediaType? {
    MediaType.preferred(of: answerTypes, by: request.fields)
  }

  /// Why the body cannot be read; the answer says what could be (RFC 9110, 15.5.16; RFC 5789, 2.2).
  private func contentProblem(_ request: Request) -> Problem? {
    if request.isContentCoded {
      var problem = Problem(
        .unsupportedMediaType,
        detail: "Send the body without Content-Encoding."
      )
      problem.fields.append(.acceptEncoding, "identity")
      return problem
    }
    let contentType = request.fields.value(.contentType)
    for type in bodyTypes where type.describes(contentType) { return nil }
    let names = bodyTypes.map(\.name)
    var problem = Problem(
      .unsupportedMediaType,
      detail: """
        Send the body as \(names.joined(separator: " or ")), in UTF-8; with curl: \
        \(bodyTypes.contains(.json) ? "--json '…', or " : "")-H 'Content-Type: \(names[0])'.
        """
    )
    problem.fields.append(.accept, bodyTypeNames)
    if request.method == .patch { problem.fields.append(.acceptPatch, bodyTypeNames) }
    return problem
  }
}

extension Request {
  /// Whether anything was done to the content that is to be undone (RFC 9110, 8.4).
  fileprivate var isContentCoded: Bool {
    guard let codings = fields.combinedValue(.contentEncoding) else { return false }
    var isCoded = false
    forEachListElement(of: codings[...]) { coding in
      if !equalIgnoringCase(coding, "identity".utf8) { isCoded = true }
    }
    return isCoded
  }
}
