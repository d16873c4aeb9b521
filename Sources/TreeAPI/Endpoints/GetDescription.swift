import HTTP

extension Endpoint {
  /// `GET /openapi.yaml`: gives the contract.
  ///
  /// The file at the root of the project is compiled in, so that the program needs nothing beside
  /// itself.
  static let getDescription = Endpoint(
    answerTypes: [],
    isOpen: true,
    .same(Response(.ok, contentType: "application/yaml", body: PackageResources.openapi_yaml))
  )
}
