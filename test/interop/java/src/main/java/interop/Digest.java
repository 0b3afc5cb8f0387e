package interop;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.ArrayList;
import java.util.List;

/**
 * What a partition holds, whatever the order of its records: the SHA-256 of the sorted SHA-256s of all records, as
 * hexadecimal lines.
 */
final class Digest {
  private final List<String> records = new ArrayList<>();
  private long bytes;

  /** Reads records until the stream ends. A stream that ends within a record is an error. */
  void read(InputStream from) throws Exception {
    DataInputStream in = new DataInputStream(from);
    byte[] buffer = new byte[1 << 16];
    for (int first = in.read(); first >= 0; first = in.read()) {
      int size = first & 15;
      int head = 1;
      buffer[0] = (byte) first;
      if (size == 0) {
        in.readFully(buffer, 1, Content.HEADER - 1);
        head = Content.HEADER;
        size = length(buffer);
        if (first != 0 || size < Content.SMALL) throw new IOException("no record begins with " + first);
      }
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(buffer, 0, head);
      for (int left = size - head; left > 0; ) {
        int got = in.read(buffer, 0, Math.min(left, buffer.length));
        if (got <= 0) throw new EOFException("the stream ends " + left + " bytes before its last record does");
        sha.update(buffer, 0, got);
        left -= got;
      }
      records.add(hex(sha.digest()));
      bytes += size;
    }
  }

  private static int length(byte[] header) {
    int length = 0;
    for (int i = 7; i < 11; i++) length = length << 8 | (header[i] & 255);
    return length;
  }

  void answer(Answer answer) throws Exception {
    Collections.sort(records);
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    for (String record : records) sha.update((record + "\n").getBytes("US-ASCII"));
    answer.put("sha", hex(sha.digest()));
    answer.put("records", records.size());
    answer.put("bytes", bytes);
  }

  static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) text.append(String.format("%02x", b));
    return text.toString();
  }
}
