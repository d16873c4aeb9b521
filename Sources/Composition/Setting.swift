/// A row of the table of settings: name, type, range, help, and the property that stores it.
struct Setting: Sendable {
  /// The key path of a property of ``Configuration``.
  typealias Path<Value> = any WritableKeyPath<Configuration, Value> & Sendable

  /// The type of a setting, with the property that stores it.
  enum Field: Sendable {
    case text(Path<String>)
    /// An integer, which the property stores multiplied by the factor.
    case integer(Path<Int>, ClosedRange<Int>, factor: Int)
    case boolean(Path<Bool>)
  }

  /// The name in the configuration file, in camel case.
  let name: String

  /// The type, the property and the range.
  let field: Field

  /// The help of the setting, on one line, with the unit.
  let summary: String

  /// The name as a flag, such as `--max-body-bytes`.
  var flag: String {
    "--" + words.joined(separator: "-")
  }

  /// The name as an environment variable, such as `TREE_SERVER_MAX_BODY_BYTES`.
  var variable: String {
    Setting.variablePrefix + words.joined(separator: "_").uppercased()
  }

  /// The prefix of every environment variable of this program.
  static let variablePrefix = "TREE_SERVER_"

  /// The words of the name, in lower case.
  ///
  /// For example, `maxJSONDepth` has `max`, `json`, `depth`.
  ///
  /// A word starts at an upper-case letter after a lower-case one. In a run of upper-case letters,
  /// the last one starts a word if a lower-case letter follows.
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
