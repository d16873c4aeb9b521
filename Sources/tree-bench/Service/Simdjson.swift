/// The DOM parser of simdjson, compiled when it is first used, if a compiler and the library exist.
///
/// It uses the kernel that it chooses for the processor.
struct Simdjson: ~Copyable {
  /// The time to parse a text.
  struct Times {
    /// The name of the kernel.
    var kernel: String
    /// The nanoseconds with a parser that reuses its memory.
    var kept: Double
    /// The nanoseconds with a new parser.
    var new: Double
  }

  private let folder = ScratchFolder()
  private let program: String?

  init() {
    guard Shell.has("c++") else {
      program = nil
      return
    }
    let source = folder.write(Simdjson.source, as: "simdjson.cpp")
    let built = folder.write("", as: "simdjson")
    let command = "c++ -O2 -std=c++17 \(source) -o \(built) -lsimdjson 2> /dev/null"
    program = Shell.run(command).status == 0 ? built : nil
  }

  /// Parses a text `rounds` times in each of the two ways.
  ///
  /// - Returns: The median times; `nil` if simdjson is not available.
  func times(of body: [UInt8], rounds: Int) -> Times? {
    guard let program else { return nil }
    let inputs = ScratchFolder()
    let file = inputs.write(String(decoding: body, as: UTF8.self), as: "body.json")
    let words = Shell.run("\(program) \(file) \(rounds)").output.split { $0.isWhitespace }
    guard words.count == 3, let kept = Double(words[1]), let new = Double(words[2]) else {
      preconditionFailure("simdjson does not parse \(file)")
    }
    return Times(kernel: String(words[0]), kept: kept, new: new)
  }

  /// A program that prints the kernel and the median nanoseconds of each kind of parse.
  private static let source = """
    #include <algorithm>
    #include <chrono>
    #include <cstdio>
    #include <cstdlib>
    #include <vector>
    #include <simdjson.h>
    using namespace simdjson;
    static double middle(int rounds, const padded_string &text, dom::parser *kept) {
      using clock = std::chrono::steady_clock;
      std::vector<double> times;
      for (int round = 0; round < rounds; round++) {
        auto start = clock::now();
        if (kept) {
          if (kept->parse(text).error()) exit(1);
        } else {
          dom::parser parser;
          if (parser.parse(text).error()) exit(1);
        }
        times.push_back(std::chrono::duration<double, std::nano>(clock::now() - start).count());
      }
      std::sort(times.begin(), times.end());
      return times[times.size() / 2];
    }
    int main(int, char **arguments) {
      auto text = padded_string::load(arguments[1]).value();
      int rounds = atoi(arguments[2]);
      dom::parser parser;
      double kept = middle(rounds, text, &parser);
      double fresh = middle(rounds, text, nullptr);
      auto kernel = get_active_implementation()->name();
      std::printf("%s %f %f\\n", kernel.c_str(), kept, fresh);
    }
    """
}
