/// Where a service and the model disagree, with all that is needed to see why.
package struct DifferentialFailure: Error, CustomStringConvertible {
  /// The seed of the run.
  package var seed: UInt64
  /// The step, from 1; 0 while the session is made.
  package var step = 0
  /// The disagreements.
  package var findings: [String] = []
  /// The options the session was made with.
  package var options: [UInt8]
  /// The last batch, or patch.
  package var batch: [UInt8] = []
  /// The last batch's query.
  package var query = ""
  /// The last batch's answer.
  package var answer: [UInt8] = []
  /// What the model showed before the last batch.
  package var before = ModelPicture(rows: [])
  /// What the model showed after it.
  package var after = ModelPicture(rows: [])

  init(seed: UInt64, options: [UInt8]) {
    self.seed = seed
    self.options = options
  }

  /// The whole story: run it again with `SEED` set to the seed.
  package var description: String {
    """
    SEED=\(seed), step \(step):
    - \(findings.joined(separator: "\n- "))
    session: \(String(decoding: options, as: UTF8.self))
    batch?\(query): \(String(decoding: batch, as: UTF8.self))
    answer: \(String(decoding: answer, as: UTF8.self))
    rows before: \(outline(before))
    rows after: \(outline(after))
    """
  }

  private func outline(_ picture: ModelPicture) -> String {
    let sections = picture.sections.map(\.name.description).joined(separator: ", ")
    let rows = picture.rows.map { "\($0.index ?? -1)\t\($0)" }.joined(separator: "\n")
    return "[\(sections)]\n\(rows)"
  }
}
