#ifndef CELEBORN_NATIVE_TEST_HARNESS_H_
#define CELEBORN_NATIVE_TEST_HARNESS_H_

#include <iostream>
#include <vector>

// The little that these tests need of a test framework. A failed check is reported and the test goes on.
namespace celeborn::test {

struct Case {
  const char* name;
  void (*run)();
};

inline std::vector<Case>& Cases() {
  static std::vector<Case> cases;
  return cases;
}

inline bool& CurrentFailed() {
  static bool failed = false;
  return failed;
}

struct Registration {
  Registration(const char* name, void (*run)()) { Cases().push_back({name, run}); }
};

inline void Fail(const char* file, int line, const char* what) {
  std::cerr << file << ':' << line << ": " << what << '\n';
  CurrentFailed() = true;
}

template <typename A, typename B>
void CheckEqual(const A& actual, const B& expected, const char* file, int line, const char* what) {
  if (actual == expected) return;
  Fail(file, line, what);
  std::cerr << "  actual: " << +actual << ", expected: " << +expected << '\n';
}

}  // namespace celeborn::test

#define TEST(name)                                                                   \
  static void Test##name();                                                          \
  static const celeborn::test::Registration registration_##name(#name, &Test##name); \
  static void Test##name()
#define CHECK(condition) \
  ((condition) ? (void)0 : celeborn::test::Fail(__FILE__, __LINE__, "CHECK(" #condition ")"))
#define CHECK_EQ(actual, expected) \
  celeborn::test::CheckEqual((actual), (expected), __FILE__, __LINE__, #actual " == " #expected)
#define CHECK_STATUS(actual, expected) \
  CHECK_EQ(static_cast<int>(actual), static_cast<int>(celeborn::Status::expected))

#endif  // CELEBORN_NATIVE_TEST_HARNESS_H_
