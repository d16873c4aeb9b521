import Testing

@Suite struct `The API's description as generators read it` {
  private func messages(_ schema: String) -> [String] {
    let lines = schema.split(separator: "\n").map { "      \($0)\n" }.joined()
    let text = "components:\n  schemas:\n    Thing:\n\(lines)    Other:\n      type: string\n"
    return GeneratorRule.findings(in: text).map(\.description)
  }

  @Test func `keywords that generators misread are found`() {
    let found = "openapi.yaml:5: not is not understood by generators"
    #expect(messages("type: object\nnot:\n  required: [a]") == [found])
    let unique = "openapi.yaml:4: uniqueItems is not understood by generators"
    #expect(messages("uniqueItems: true\ntype: array") == [unique])
  }

  @Test func `members with the name of a keyword are allowed`() {
    #expect(messages("type: object\nproperties:\n  not:\n    type: string").isEmpty)
    #expect(messages("description: |\n  if: then\n  not: this\ntype: object").isEmpty)
  }

  @Test func `a constant without a type is found`() {
    let found = "openapi.yaml:6: const has no type beside it"
    #expect(messages("properties:\n  a:\n    const: b\n  c:\n    type: string") == [found])
    #expect(messages("properties:\n  a:\n    type: string\n    const: b").isEmpty)
    #expect(messages("properties:\n  a:\n    const: b\n    type: string").isEmpty)
  }

  @Test func `an enumeration without a name is found`() {
    let found = "openapi.yaml:7: the enumeration has no name"
    let untitled = "oneOf:\n  - title: A\n    type: string\n  - enum:\n      - a"
    #expect(messages(untitled) == [found])
    #expect(messages("oneOf:\n  - title: A\n    type: string\n    enum:\n      - a").isEmpty)
    #expect(messages("type: string\nenum:\n  - a").isEmpty)
  }

  @Test func `properties beside allOf are found`() {
    let found = "openapi.yaml:4: generators drop what stands beside allOf"
    #expect(messages("allOf:\n  - $ref: a\nproperties:\n  a:\n    type: string") == [found])
    #expect(messages("allOf:\n  - $ref: a\n  - $ref: b").isEmpty)
  }
}
