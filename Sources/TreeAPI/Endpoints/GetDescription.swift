import HTTP
import TreeWeb

extension Endpoint {
  /// `GET /openapi.yaml`: returns the description of the API.
  ///
  /// The file at the project's root is compiled into the program, which needs no further files.
  static let getDescription = Endpoint(
    answerTypes: [],
    isOpen: true,
    .same(
      Response(
        .ok,
        contentType: WebFile.apiDescription.contentType,
        body: WebFile.apiDescription.content
      )
    )
  )
}
