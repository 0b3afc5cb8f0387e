#include <cstring>

#include "harness.h"

// Runs all tests, or those whose name contains the argument.
int main(int argc, char** argv) {
  int passed = 0;
  int failed = 0;
  for (const auto& test : celeborn::test::Cases()) {
    if (argc > 1 && std::strstr(test.name, argv[1]) == nullptr) continue;
    celeborn::test::CurrentFailed() = false;
    test.run();
    if (celeborn::test::CurrentFailed()) {
      std::cerr << "FAILED " << test.name << '\n';
      ++failed;
    } else {
      ++passed;
    }
  }
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 && passed > 0 ? 0 : 1;
}
