/// Finds modules that the README's map of the code does not name.
enum CodeMapRule {
  static func findings(readme: String, targets: [String]) -> [Finding] {
    let lines = splitLines(Array(readme.utf8)).map { line in
      line.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
    }
    return targets.filter { target in !lines.contains { $0.contains(target[...]) } }.map {
      Finding(path: "README.md", line: 1, message: "the map of the code does not name \($0)")
    }
  }
}
