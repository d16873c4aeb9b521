/// A section as a session sees it.
package struct ModelSectionRow: Sendable, Equatable {
  /// Tells a section from a later one with the same name; not part of the contract.
  package var identity: Int
  /// The name.
  package var name: ModelKey
  /// The place among the sections.
  package var index: Int
  /// The number of visible rows in it.
  package var rowCount: Int
  /// The index of its first row, or where that would be.
  package var offset: Int
  /// The number of its roots.
  package var rootCount: Int
  /// Whether its roots are shown.
  package var expanded: Bool

  /// The section as `GET /v1/sessions/{s}/sections` lists it.
  package var json: [UInt8] {
    JSONText.object([
      ("section", JSONText.key(name)), ("index", JSONText.number(index)),
      ("rowCount", JSONText.number(rowCount)), ("offset", JSONText.number(offset)),
      ("rootCount", JSONText.number(rootCount)), ("expanded", JSONText.bool(expanded)),
    ])
  }
}

/// Everything that change lists speak of, at one moment.
package struct ModelPicture: Sendable {
  /// The visible rows.
  package var rows: [ModelRow]
  /// The sections that are shown.
  package var sections: [ModelSectionRow]
  /// All sections, also one that is nameless and alone.
  package var everySection: [ModelSectionRow]

  /// The picture of some rows and sections.
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
  /// The picture with objects that have spaces for line breaks, as they are in an event.
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
