package interop;

import java.util.Base64;

/** What a command answers. */
final class Answer {
  private final StringBuilder text = new StringBuilder();

  void put(String name, Object value) {
    text.append('\t').append(name).append('=').append(escape(String.valueOf(value)));
  }

  void putBytes(String name, byte[] bytes) {
    put(name, Base64.getEncoder().encodeToString(bytes));
  }

  /** One line, whatever the value holds. */
  static String escape(String value) {
    return value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
