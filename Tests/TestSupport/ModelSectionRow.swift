/// A section as a session sees it.
package struct ModelSectionRow: Sendable, Equatable {
  /// The identity, which differs from that of a later section with the same name. It is not in the
  /// contract.
  package var identity: Int
  /// The name.
  package var name: ModelKey
  /// The index among the sections.
  package var index: Int
  /// The number of its visible rows.
  package var rowCount: Int
  /// The index of its first row, or the index that a row would have.
  package var offset: Int
  /// The number of its roots.
  package var rootCount: Int
  /// True if its roots are shown.
  package var expanded: Bool

  /// The section as in the answer to `GET /v1/sessions/{s}/sections`.
  package var json: [UInt8] {
    JSONText.object([
      ("section", JSONText.key(name)), ("index", JSONText.number(index)),
      ("rowCount", JSONText.number(rowCount)), ("offset", JSONText.number(offset)),
      ("rootCount", JSONText.number(rootCount)), ("expanded", JSONText.bool(expanded)),
    ])
  }
}

/// The state that change lists describe, at one revision.
package struct ModelPicture: Sendable {
  /// The visible rows.
  package var rows: [ModelRow]
  /// The sections in answers.
  package var sections: [ModelSectionRow]
  /// All sections, including a single nameless one.
  package var everySection: [ModelSectionRow]

  /// Creates a state of rows and sections.
  package init(
    rows: [ModelRow],
    sections: [ModelSectionRow] = [],
    everySection: [ModelSectionRow]? = nil
  ) {
    self.rows = rows
    self.sections = sections
    self.everySection = everySection ?? sections
  }
}

extension ModelPicture {
  /// The same state with objects in which spaces replace line breaks, as in an event.
  var onOneLine: ModelPicture {
    get throws {
      var picture = self
      for index in rows.indices {
        let object = JSONText.onOneLine(rows[index].object.bytes)
        picture.rows[index].object = try RawJSON(parsing: object)
      }
      return picture
    }
  }
}
