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
    guard !bodyTypes.isEmpty, hasBody else { return nil }
    return contentProblem(request.fields)
  }

  /// The media type of the answer to a request with which there is no problem; nil where none is
  /// asked about.
  func answerType(for request: Request) -> MediaType? {
    answerTypes.count > 1 ? preferredType(for: request) : answerTypes.first
  }

  /// The media type the client wants; nil if it is none of those there are.
  private func preferredType(for request: Request) -> MediaType? {
    MediaType.preferred(of: answerTypes, by: request.fields)
  }

  private func contentProblem(_ fields: Fields) -> Problem? {
    if let coding = fields.combinedValue(.contentEncoding),
      !coding[...].equals(ignoringCase: "identity")
    {
      return Problem(.unsupportedMediaType, detail: "Send the body without Content-Encoding.")
    }
    let contentType = fields.value(.contentType)
    for type in bodyTypes where type.describes(contentType) { return nil }
    let names = bodyTypes.map(\.name)
    var problem = Problem(
      .unsupportedMediaType,
      detail: """
        Send the body as \(names.joined(separator: " or ")), in UTF-8; with curl: \
        \(bodyTypes.contains(.json) ? "--json '…', or " : "")-H 'Content-Type: \(names[0])'.
        """
    )
    problem.fields.append(.accept, names.joined(separator: ", "))
    return problem
  }
}
