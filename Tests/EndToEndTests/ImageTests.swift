import HTTP
import TestSupport
import Testing

/// Recreating trees from their images changes no answer to a retry. ``RestartTests`` tests all
/// other answers.
struct ImageTests {
  @Test(arguments: ChangingRequest.ofSessions)
  func `a request to a session is applied once`(request: ChangingRequest) throws {
    let access = ImagedAccess(every: 1, seed: 1)
    let session = try RemoteSession(access, Sample.options)
    try session.apply(#"[{"op":"select","key":"pear"}]"#)
    let retry = Retry(request: request, place: session.path, access: access) {
      try session.state() + [try session.get("/state").body]
    }
    try retry.check(revision: 1)
  }

  @Test(arguments: ChangingRequest.ofTrees)
  func `a request to a tree is applied once`(request: ChangingRequest) throws {
    let access = ImagedAccess(every: 1, seed: 1)
    let tree = #"{"tree":"t","nodes":[{"key":"a"}]}"#
    #expect(try access.send(Ask(.post, "/v1/trees", tree)).status == 201)
    let retry = Retry(request: request, place: "/v1/trees/t", access: access) {
      try ["/v1/trees/t", "/v1/trees/t/children"].map { try access.send(Ask(.get, $0)).body }
    }
    try retry.check(revision: 0)
  }

  @Test func `a refusal by the tree is replayed`() throws {
    let session = try RemoteSession(ImagedAccess(every: 1, seed: 1), Sample.options)
    let key = [(name: "Idempotency-Key", value: "k")]
    let removal = Ask(.delete, "/nodes/later", fields: key)
    let first = try session.send(removal)
    try expectProblem(first, 404, "node-not-found")
    try session.apply(#"[{"op":"insert","key":"later"}]"#)
    Retry.expectReplay(try session.send(removal), of: first)
  }
}
