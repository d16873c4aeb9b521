import HTTP
import Testing

@Suite struct `Keys in paths` {
  @Test(arguments: [
    ("a%2Fb", #"a/b"#), ("50%25", "50%"), ("x%20y", "x y"), ("%22q%22", #"\"q\""#),
    ("%F0%9F%98%80", "😀"), ("%66ruit", "fruit"),
  ])
  func `a key is decoded once`(segment: String, written: String) throws {
    let answer = try Tester().send(.get, "{s}/nodes/\(segment)?fields=key")
    #expect(answer.body == "{\"session\":\"S\",\"revision\":0,\"key\":\"\(written)\"}")
  }

  @Test(arguments: ["new", "a%2Fb%2Fc", "100%25", "%22%20%5C", "%C3%A9", "a+b", "a~._-b"])
  func `a new node is at the location of the answer`(segment: String) throws {
    let tester = try Tester()
    let answer = try tester.send(.put, "{s}/nodes/\(segment)", #"{"object":[1,2]}"#)
    #expect(answer.status == 201, "\(answer.body)")
    let place = try #require(answer[.location])
    #expect(place == "/v1/sessions/S/nodes/" + segment.replacing("+", with: "%2B"))
    let target = place.replacing("/v1/sessions/S", with: "{s}") + "?fields=object"
    #expect(try tester.send(.get, target).body.hasSuffix("\"object\":[1,2]}"))
  }

  @Test func `a key that is too long is not found and cannot be put`() throws {
    let tester = try Tester()
    let key = String(repeating: "k", count: 513)
    for path in ["", "/children", "/ancestors"] {
      #expect(try tester.send(.get, "{s}/nodes/\(key)\(path)").code == "node-not-found")
    }
    #expect(try tester.send(.put, "{s}/nodes/\(key)").code == "invalid-request")
    #expect(try tester.send(.put, "{s}/nodes/\(key.dropLast())").status == 201)
  }

  @Test(arguments: [
    "x", "s_", "s_1", "t_0000000000000000000000", "s_00000000000000000000000",
    "s_zzzzzzzzzzzzzzzzzzzzzz", "s_000000000000000000000%2F",
  ])
  func `an invalid session id is not found`(id: String) throws {
    let answer = try Tester().send(.get, "/v1/sessions/\(id)/rows")
    #expect(answer.status == 404 && answer.code == "session-not-found")
  }
}
