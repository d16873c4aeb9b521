// The explanations of the codes that belong to HTTP itself.
extension ProblemGuide {
  /// The explanations of the codes of HTTP.
  static let http = [
    Entry(
      "unauthenticated",
      "The request shows no valid credentials.",
      "Authorization is missing, or its token is unknown.",
      "Send `Authorization: Bearer` with a key, or with the secret of the session."
    ),
    Entry(
      "forbidden",
      "The credentials do not allow the request.",
      "The key, the session or the origin of the web page may not do this.",
      "Use a key or session that may do this. `detail` names what is allowed."
    ),
    Entry(
      "route-not-found",
      "Nothing is served at this path.",
      "The path is misspelled, or a part of it is not percent-encoded.",
      "Compare the path with the list in GET /openapi.yaml."
    ),
    Entry(
      "method-not-allowed",
      "The path does not take this method.",
      "The request uses a method that the route does not have.",
      "Use one of the methods in Allow."
    ),
    Entry(
      "not-acceptable",
      "The answer has no form that the client accepts.",
      "Accept or Accept-Encoding excludes what the service can send.",
      "Allow the form that `detail` names, or leave the field out."
    ),
    Entry(
      "request-timeout",
      "The request did not arrive in time.",
      "The client or the network was too slow.",
      "Send the whole request again without delay."
    ),
    Entry(
      "uri-too-long",
      "The request line exceeds its limit.",
      "The path or query is too long.",
      "Shorten the query, or use a request with a body."
    ),
    Entry(
      "unsupported-media-type",
      "The content has a type or coding that is not read here.",
      "Content-Type is missing or wrong, or the content is compressed.",
      "Send the type that Accept names, in UTF-8, without Content-Encoding."
    ),
    Entry(
      "expectation-failed",
      "The Expect field asks for something unknown.",
      "The request has an expectation other than 100-continue.",
      "Leave Expect out, or send 100-continue."
    ),
    Entry(
      "misdirected-request",
      "The request names a host that this service does not answer for.",
      "Host is not in `allowedHosts`, or a proxy changed it.",
      "Use a name of the service, or have the operator add it to `allowedHosts`."
    ),
    Entry(
      "too-many-requests",
      "This address has too many connections or refused credentials.",
      "Connections are not reused, or a client keeps sending a wrong key.",
      "Close connections or correct the key, then wait as Retry-After says."
    ),
    Entry(
      "header-fields-too-large",
      "The header fields exceed a limit.",
      "There are too many fields, or they are too long.",
      "Send fewer and shorter fields."
    ),
    Entry(
      "not-implemented",
      "The request needs something that this server does not do.",
      "The method or the transfer coding is unknown.",
      "Use a method of the API, and no transfer coding but chunked."
    ),
    Entry(
      "outcome-unknown",
      "The instance that had the request was lost before it answered.",
      "It was stopped or cut off while it worked, so a change may have been made or not.",
      "Send it again with the same Idempotency-Key, which makes it once. If it had none, read "
        + "first."
    ),
    Entry(
      "http-version-not-supported",
      "The major version of HTTP is not served.",
      "The request line names a version other than 1.0 or 1.1.",
      "Use HTTP/1.1."
    ),
  ]
}
