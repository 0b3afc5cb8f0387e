package interop;

/**
 * The batches that tests push: the same bytes for the same seed as test/interop/support/content.ts makes.
 *
 * <p>A batch is one record. Below 16 bytes: its length in the low half of the first byte, its map task in the high
 * half, noise. From 16 bytes on: a zero, map task (2 bytes), index (4) and length (4), big endian, then noise, a
 * repeated piece of noise, or both by turns, so that codecs find all there is.
 */
final class Content {
  static final int HEADER = 11;
  static final int SMALL = 16;
  private static final int PIECE = 97;

  private int state;

  private Content(int seed, int mapId, int index) {
    state = seed ^ (mapId * 0x9e3779b1) ^ (index * 0x85ebca6b);
    if (state == 0) state = 1;
    for (int i = 0; i < 4; i++) next();
  }

  private int next() {
    int x = state;
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    state = x;
    return x;
  }

  static byte[] batch(int seed, int mapId, int index, int size) {
    byte[] batch = new byte[size];
    Content content = new Content(seed, mapId, index);
    if (size < SMALL) {
      batch[0] = (byte) (size | (mapId & 15) << 4);
      content.noise(batch, 1, size);
      return batch;
    }
    batch[1] = (byte) (mapId >>> 8);
    batch[2] = (byte) mapId;
    putInt(batch, 3, index);
    putInt(batch, 7, size);
    int kind = (content.next() >>> 8) % 3;
    if (kind == 0) content.noise(batch, HEADER, size);
    else content.pieces(batch, HEADER, size, kind == 2);
    return batch;
  }

  private void noise(byte[] to, int from, int end) {
    int at = from;
    while (at < end) {
      int word = next();
      for (int i = 0; i < 4 && at < end; i++, at++) to[at] = (byte) (word >>> (8 * i));
    }
  }

  /** The first piece over and over; with {@code mixed} every other piece is new noise. */
  private void pieces(byte[] to, int from, int end, boolean mixed) {
    noise(to, from, Math.min(end, from + PIECE));
    int pieces = 1;
    for (int at = from + PIECE; at < end; at += PIECE, pieces++) {
      int length = Math.min(PIECE, end - at);
      if (mixed && pieces % 2 == 1) noise(to, at, at + length);
      else System.arraycopy(to, from, to, at, length);
    }
  }

  private static void putInt(byte[] to, int at, int value) {
    for (int i = 0; i < 4; i++) to[at + i] = (byte) (value >>> (24 - 8 * i));
  }
}
