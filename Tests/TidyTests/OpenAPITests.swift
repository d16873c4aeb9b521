import Testing

@Suite struct `Parsing the API's description` {
  private let sample = """
    openapi: 3.1.1

    paths:
      /a/{b}:
        parameters:
          - $ref: '#/components/parameters/b'
        get:
          operationId: getA
          tags:
            - x
          summary: Gets a.
          parameters:
            - $ref: '#/components/parameters/limit'
          responses:
            '200':
              description: It.
            default:
              description: Other.
        post:
          operationId: getA
          responses:
            '201':
              $ref: '#/components/responses/None'

    components:
      parameters:
        b:
          name: b
          in: path
        limit:
          name: limit
          in: query
      schemas:
        Code:
          type: string
          enum:
            - one
            - two
        Thing:
          properties:
            first:
              type: string
            second:
              enum:
                - three
        Kind:
          discriminator:
            propertyName: kind
            mapping:
              six: '#/components/schemas/Thing'
              one: '#/components/schemas/Thing'
    """

  @Test func `operations are read with parameters and statuses`() {
    let operations = OpenAPIScan(sample).operations
    #expect(operations.map { "\($0.method) \($0.path)" } == ["get /a/{b}", "post /a/{b}"])
    #expect(operations.map(\.parameters) == [["b", "limit"], ["b"]])
    #expect(operations.map(\.statuses) == [["200", "default"], ["201"]])
    #expect(operations.map(\.line) == [7, 19])
    #expect(operations.first?.members["summary"] == "Gets a.")
  }

  @Test func `schemas are read with properties and values`() {
    let scan = OpenAPIScan(sample)
    #expect(scan.component("schemas", "Code")?.enumeration == ["one", "two"])
    #expect(scan.component("schemas", "Thing")?.properties == ["first", "second"])
    #expect(scan.component("schemas", "Thing")?.enumeration == [])
    #expect(scan.component("schemas", "Nothing") == nil)
  }

  @Test func `missing members, repeated ids, broken and unused references are found`() {
    let messages = OpenAPIRule.findings(OpenAPIScan(sample)).map(\.description)
    #expect(
      messages == [
        "openapi.yaml:19: post /a/{b} has no tags",
        "openapi.yaml:19: post /a/{b} has no summary",
        "openapi.yaml:19: post /a/{b} has no default response",
        "openapi.yaml:19: the operationId of post /a/{b} is taken",
        "openapi.yaml:23: nothing is called #/components/responses/None",
        "openapi.yaml:34: nothing refers to #/components/schemas/Code",
        "openapi.yaml:46: nothing refers to #/components/schemas/Kind",
      ]
    )
  }

  @Test func `an operation with 304 and without an entity tag is found`() {
    func messages(_ headers: String) -> [String] {
      let answers = "        '200':\n          description: It.\n\(headers)        '304':\n"
      let text = sample.replacing("        '200':\n          description: It.\n", with: answers)
      return OpenAPIRule.findings(OpenAPIScan(text)).map(\.message)
    }
    let message = "get /a/{b} has 304 without an ETag"
    #expect(messages("").contains(message))
    let reference = "              $ref: '#/components/headers/ETag'\n"
    let tag = "          headers:\n            ETag:\n\(reference)"
    #expect(!messages(tag).contains(message))
  }

  @Test func `a path parameter missing in its path is found`() {
    let text = sample.replacing("/a/{b}:", with: "/a/{c}:")
    let messages = OpenAPIRule.findings(OpenAPIScan(text)).map(\.message)
    #expect(messages.contains("get /a/{c} names other path parameters than its path"))
  }

  @Test func `routes on one side only are found`() {
    let served = ["GET /a/{b}", "HEAD /a/{b}", "OPTIONS /a/{b}", "GET /c"]
    #expect(
      RouteRule.findings(OpenAPIScan(sample), served: served).map(\.description) == [
        "openapi.yaml:1: the route GET /c is not described",
        "openapi.yaml:19: nothing answers POST /a/{b}",
      ]
    )
  }

  @Test func `query parameters on one side only are found`() {
    let served = ["GET /a/{b}": ["offset"], "POST /a/{b}": [], "GET /c": ["x"]]
    #expect(
      RouteRule.findings(OpenAPIScan(sample), parameters: served).map(\.description) == [
        "openapi.yaml:7: GET /a/{b} takes offset, which is not described",
        "openapi.yaml:7: GET /a/{b} refuses limit",
      ]
    )
  }

  @Test func `a route with other security schemes than described is found`() {
    let text = sample.replacing(
      "      tags:\n        - x",
      with: "      security:\n        - {}\n        - x: []\n      tags:\n        - x"
    )
    let scan = OpenAPIScan(text)
    #expect(scan.operations.map(\.schemes) == [["x"], nil])
    let served = ["GET /a/{b}": ["y"], "POST /a/{b}": ["key"]]
    #expect(
      RouteRule.findings(scan, schemes: served).map(\.message) == [
        "GET /a/{b} is opened by [\"y\"], which is not what is described"
      ]
    )
  }

  @Test func `a status that is not described is found`() {
    let served: [String: Set<Int>] = [
      "GET /a/{b}": [200, 404], "POST /a/{b}": [201], "GET /c": [1],
    ]
    #expect(
      RouteRule.findings(OpenAPIScan(sample), statuses: served).map(\.description) == [
        "openapi.yaml:7: GET /a/{b} can be answered with 404, which is not described"
      ]
    )
  }

  @Test func `names on one side only are found`() {
    let text = "enum Thing: String {\n  case one, three = \"four\"\n  /// It.\n  case five\n}"
    let source = SourceText(path: "Sources/HTTP/A.swift", text: text)
    let code = SchemaRule.Code.enumeration("Thing", except: ["five"])
    func messages(_ place: SchemaRule.Place) -> [String] {
      SchemaRule.findings(code, place, OpenAPIScan(sample), sources: [source]).map(\.description)
    }
    let lacks = "Sources/HTTP/A.swift:2: openapi.yaml lacks "
    func missing(_ name: String) -> String {
      "openapi.yaml:1: \(name) is not in the enumeration Thing"
    }
    #expect(messages(.values("Code")) == [lacks + "four", missing("two")])
    #expect(
      messages(.properties(["Thing", "Code"], except: ["second"]))
        == [lacks + "one", lacks + "four", missing("first")]
    )
    #expect(messages(.variants("Kind")).last == missing("six"))
  }

  @Test func `members missing in the description or in the code are found`() {
    let text = "writer.name(\"first\")\nwriter.member(\"third\", 1)\nwriter.origin(s, r)"
    let source = SourceText(path: "A.swift", text: text)
    let findings = SchemaRule.findings(
      .writers(["A.swift"]),
      .properties(["Thing"]),
      OpenAPIScan(sample),
      sources: [source]
    )
    #expect(
      findings.map(\.description) == [
        "A.swift:2: openapi.yaml lacks third", "A.swift:3: openapi.yaml lacks session",
        "A.swift:3: openapi.yaml lacks revision", "openapi.yaml:1: second is not in A.swift",
      ]
    )
  }
}
