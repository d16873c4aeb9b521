/// One row of the table of settings: what it is called, what it may be, and where its value goes.
struct Setting: Sendable {
  /// The way to a field of ``Configuration``.
  typealias Path<Value> = any WritableKeyPath<Configuration, Value> & Sendable

  /// The kind of value a setting takes, with the field of ``Configuration`` that holds it.
  enum Field: Sendable {
    case text(Path<String>)
    case integer(Path<Int>, ClosedRange<Int>)
    case boolean(Path<Bool>)
  }

  /// The name in the configuration file: the name of the field, in camel case.
  let name: String

  /// Where the value goes and what it may be.
  let field: Field

  /// One line for `--help`, with the unit.
  let summary: String

  /// The name as a flag, such as `--max-body-bytes`.
  var flag: String {
    "--" + words.joined(separator: "-")
  }

  /// The name as an environment variable, such as `TREE_SERVER_MAX_BODY_BYTES`.
  var variable: String {
    Setting.variablePrefix + words.joined(separator: "_").uppercased()
  }

  /// What every environment variable of this program starts with.
  static let variablePrefix = "TREE_SERVER_"

  /// The words of the name, in lower case: `maxJSONDepth` gives `max`, `json`, `depth`.
  ///
  /// A word starts at an upper-case letter after a lower-case one, and at the last upper-case
  /// letter of a run that a lower-case one follows.
  private var words: [String] {
    var words: [String] = []
    var word: [UInt8] = []
    let letters = Array(name.utf8)
    for (index, letter) in letters.enumerated() {
      let follows = index > 0 && !letters[index - 1].isUpperCase
      let leads = index + 1 < letters.count && !letters[index + 1].isUpperCase
      if letter.isUpperCase && (follows || leads) && !word.isEmpty {
        words.append(String(decoding: word, as: UTF8.self))
        word = []
      }
      word.append(letter.isUpperCase ? letter + 32 : letter)
    }
    return words + [String(decoding: word, as: UTF8.self)]
  }
}

extension UInt8 {
  fileprivate var isUpperCase: Bool {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }
}
