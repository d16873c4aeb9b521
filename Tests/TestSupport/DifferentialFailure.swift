/// A disagreement between the service and the model, with its context.
package struct DifferentialFailure: Error, CustomStringConvertible {
  /// The seed of the run.
  package var seed: UInt64
  /// The step, from 1; 0 during the creation of the session.
  package var step = 0
  /// The disagreements.
  package var findings: [String] = []
  /// The options of the session.
  package var options: [UInt8]
  /// The last batch or patch.
  package var batch: [UInt8] = []
  /// The query of the last batch.
  package var query = ""
  /// The answer to the last batch.
  package var answer: [UInt8] = []
  /// The state of the model before the last batch.
  package var before = ModelPicture(rows: [])
  /// The state of the model after the last batch.
  package var after = ModelPicture(rows: [])

  init(seed: UInt64, options: [UInt8]) {
    self.seed = seed
    self.options = options
  }

  /// The whole report. `SEED` set to the seed repeats the run.
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
