import HTTP
import TestSupport
import Testing

/// That trees and their sessions are made anew of their images shows in no answer.
struct ImageTests {
  @Test(arguments: Served.profiles)
  func `sessions of trees that are made of their images agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Seed.seeds(count: 1) {
      let access = ImagedAccess(every: 3, seed: seed)
      try DifferentialRun.run(
        seed: seed,
        steps: Seed.operations(default: 20),
        requiresNetRevisions: true,
        profile: profile
      ) { options in try RemoteSession(access, options: options) }
    }
  }

  @Test(arguments: Served.sharedProfiles)
  func `sessions over a shared tree that is made of its image agree with the model`(
    profile: RandomProfile
  ) throws {
    for seed in Seed.seeds(count: 1) {
      try SharedTreeRun.run(
        seed: seed,
        steps: Seed.operations(default: 20),
        profile: profile,
        service: AccessService(access: ImagedAccess(every: 3, seed: seed))
      )
    }
  }

  @Test(arguments: ChangingRequest.ofSessions)
  func `a request to a session is carried out once`(request: ChangingRequest) throws {
    let access = ImagedAccess(every: 1, seed: 1)
    let session = try RemoteSession(access, Sample.options)
    try session.apply(#"[{"op":"select","key":"pear"}]"#)
    let retry = Retry(request: request, place: session.path, access: access) {
      try session.state() + [try session.get("/state").body]
    }
    try retry.check(revision: 1)
  }

  @Test(arguments: ChangingRequest.ofTrees)
  func `a request to a tree is carried out once`(request: ChangingRequest) throws {
    let access = ImagedAccess(every: 1, seed: 1)
    let tree = #"{"tree":"t","nodes":[{"key":"a"}]}"#
    #expect(try access.send(Ask(.post, "/v1/trees", tree)).status == 201)
    let retry = Retry(request: request, place: "/v1/trees/t", access: access) {
      try ["/v1/trees/t", "/v1/trees/t/children"].map { try access.send(Ask(.get, $0)).body }
    }
    try retry.check(revision: 0)
  }

  @Test func `a refusal that the tree gave is given again`() throws {
    let session = try RemoteSession(ImagedAccess(every: 1, seed: 1), Sample.options)
    let key = [(name: "Idempotency-Key", value: "k")]
    let removal = Ask(.delete, "/nodes/later", fields: key)
    let first = try session.send(removal)
    try expectProblem(first, 404, "node-not-found")
    try session.apply(#"[{"op":"insert","key":"later"}]"#)
    Retry.expectReplay(try session.send(removal), of: first)
  }
}
