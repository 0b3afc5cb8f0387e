package interop;

import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

/** What a command was given. */
final class Args {
  private final Map<String, String> values = new HashMap<>();

  Args(String[] parts) {
    for (int i = 2; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      values.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
    }
  }

  String text(String name) {
    String value = values.get(name);
    if (value == null) throw new IllegalArgumentException("the command needs " + name);
    return value;
  }

  int number(String name) {
    return Integer.parseInt(text(name));
  }

  long large(String name) {
    return Long.parseLong(text(name));
  }

  boolean flag(String name) {
    return Boolean.parseBoolean(text(name));
  }

  byte[] bytes(String name) {
    return Base64.getDecoder().decode(text(name));
  }

  /** Names of all that begin with a prefix. */
  Map<String, String> startingWith(String prefix) {
    Map<String, String> found = new HashMap<>();
    values.forEach((name, value) -> {
      if (name.startsWith(prefix)) found.put(name, value);
    });
    return found;
  }
}
