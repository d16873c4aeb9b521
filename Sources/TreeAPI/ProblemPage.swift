import HTTP
import TreeDomain

/// The page that explains a code of a problem, as Markdown and as HTML.
struct ProblemPage: Sendable {
  /// The pages by their codes.
  static let all: [String: ProblemPage] = {
    var pages: [String: ProblemPage] = [:]
    for entry in ProblemGuide.entries { pages[entry.code] = ProblemPage(entry) }
    return pages
  }()

  /// The page as Markdown.
  let markdown: Response
  /// The page as HTML, without style and script.
  let html: Response

  /// Creates a page of its two forms.
  init(markdown: Response, html: Response) { (self.markdown, self.html) = (markdown, html) }

  /// Creates the page of a code; nil if no problem has it.
  private init?(_ entry: ProblemGuide.Entry) {
    let example: Problem
    if let code = ServiceErrorCode(rawValue: entry.code) {
      example = Problem(
        code: code.rawValue,
        status: code.status,
        title: code.title,
        detail: entry.action
      )
    } else if let code = ProblemCode(rawValue: entry.code) {
      example = Problem(code, detail: entry.action)
    } else {
      return nil
    }
    let body = String(decoding: example.json, as: UTF8.self)
    markdown = Self.response(.markdown, Self.markdown(of: entry, example, body))
    html = Self.response(.html, Self.html(of: entry, example, body))
  }

  private static func markdown(
    of entry: ProblemGuide.Entry,
    _ example: Problem,
    _ body: String
  ) -> String {
    """
    # \(example.title)

    Code `\(entry.code)`, status \(example.status.code). \(entry.meaning)

    ## Cause

    \(entry.cause)

    ## What to do

    \(entry.action)

    ## Example

    ```json
    \(body)
    ```

    """
  }

  private static func html(
    of entry: ProblemGuide.Entry,
    _ example: Problem,
    _ body: String
  ) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <meta charset="utf-8">
    <title>\(escaped(example.title))</title>
    <h1>\(escaped(example.title))</h1>
    <p>Code <code>\(escaped(entry.code))</code>, status \(example.status.code). \
    \(marked(entry.meaning))</p>
    <h2>Cause</h2>
    <p>\(marked(entry.cause))</p>
    <h2>What to do</h2>
    <p>\(marked(entry.action))</p>
    <h2>Example</h2>
    <pre>\(escaped(body))</pre>
    </html>

    """
  }

  private static func response(_ type: MediaType, _ text: String) -> Response {
    var fields = Fields()
    fields.append(.vary, "Accept")
    fields.append(FieldName("Content-Security-Policy"), "default-src 'none'")
    fields.append(.contentType, type.name + "; charset=utf-8")
    return Response(.ok, fields: fields, body: Array(text.utf8))
  }

  /// Returns text as HTML, with the parts in backticks as code.
  private static func marked(_ text: String) -> String {
    let parts = escaped(text).split(separator: "`", omittingEmptySubsequences: false)
    return parts.enumerated().map { place, part in
      place.isMultiple(of: 2) ? String(part) : "<code>\(part)</code>"
    }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
