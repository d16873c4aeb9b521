/// simdjson's DOM parser, built here with the system's compiler where both are installed.
///
/// It is the peer at its best: the kernel it chooses for the processor, and one parser that keeps
/// its memory from one text to the next.
struct Simdjson: ~Copyable {
  private var folder = ScratchFolder()
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

  /// Measures both in turns.
  ///
  /// - Parameters:
  ///   - body: what is parsed.
  ///   - operations: how many operations are in it.
  ///   - ours: nanoseconds that an operation takes here.
  /// - Returns: the middle one of the quotients of its time and ours; `nil` where it is not there.
  func turns(_ body: [UInt8], operations: Int, _ ours: () -> Double) -> Double? {
    guard let program else { return nil }
    var inputs = ScratchFolder()
    let file = inputs.write(String(decoding: body, as: UTF8.self), as: "body.json")
    let ratios = (0..<7).map { _ in
      let output = Shell.run("\(program) \(file)").output.filter { !$0.isWhitespace }
      guard let nanoseconds = Double(output) else {
        preconditionFailure("simdjson does not parse \(file)")
      }
      return nanoseconds / Double(operations) / ours()
    }
    return ratios.sorted()[3]
  }

  /// Prints the nanoseconds of the middle one of many parses.
  private static let source = """
    #include <algorithm>
    #include <chrono>
    #include <cstdio>
    #include <vector>
    #include <simdjson.h>
    int main(int, char **arguments) {
      using clock = std::chrono::steady_clock;
      auto text = simdjson::padded_string::load(arguments[1]).value();
      simdjson::dom::parser parser;
      std::vector<double> times;
      for (size_t round = 0; round < 15 + 30000000 / (text.size() + 1); round++) {
        auto start = clock::now();
        if (parser.parse(text).error()) return 1;
        times.push_back(std::chrono::duration<double, std::nano>(clock::now() - start).count());
      }
      std::sort(times.begin(), times.end());
      std::printf("%f\\n", times[times.size() / 2]);
    }
    """
}
