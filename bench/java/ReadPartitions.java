package bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.CRC32;
import org.apache.celeborn.client.ShuffleClientImpl;
import org.apache.celeborn.client.read.MetricsCallback;
import org.apache.celeborn.common.CelebornConf;
import org.apache.celeborn.common.identity.UserIdentifier;

/**
 * Reads all partitions of a shuffle through Celeborn's own input stream, several times, and prints what the last time took,
 * in one line of JSON. Counts what bench/read/tally.ts counts, and in the same way.
 */
public final class ReadPartitions {
  private static final int PAGE_BYTES = 4096;

  private final ShuffleClientImpl client;
  private final int shuffle;
  private final int partitions;
  private final int blockBytes;
  private final byte[] buffer;

  /** Of the latest run. */
  private long bytes;

  private long sum;

  /** Of the run that checked every byte. */
  private long checksum;

  private ReadPartitions(ShuffleClientImpl client, Map<String, String> args) {
    this.client = client;
    this.shuffle = Integer.parseInt(args.get("shuffle"));
    this.partitions = Integer.parseInt(args.get("partitions"));
    this.blockBytes = Integer.parseInt(args.get("block"));
    this.buffer = new byte[Integer.parseInt(args.get("buffer"))];
  }

  private static final MetricsCallback NOBODY =
      new MetricsCallback() {
        @Override
        public void incBytesRead(long bytes) {}

        @Override
        public void incReadTime(long time) {}
      };

  private void run(boolean check) throws IOException {
    bytes = 0;
    sum = 0;
    for (int partition = 0; partition < partitions; partition++) {
      try (InputStream in = client.readPartition(shuffle, partition, 0, 0, Integer.MAX_VALUE, NOBODY)) {
        Checksum blocks = new Checksum();
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          touch(length);
          if (check) blocks.add(length);
        }
      }
    }
  }

  private void touch(int length) {
    for (int at = (int) (-bytes & (PAGE_BYTES - 1)); at < length; at += PAGE_BYTES) sum += buffer[at] & 0xff;
    bytes += length;
  }

  /** The sum of the checksums of all blocks. */
  private final class Checksum {
    private final CRC32 crc = new CRC32();
    private int filled;

    void add(int length) {
      for (int at = 0; at < length; ) {
        int part = Math.min(length - at, blockBytes - filled);
        crc.update(buffer, at, part);
        at += part;
        filled += part;
        if (filled < blockBytes) continue;
        checksum = (checksum + crc.getValue()) & 0xffffffffL;
        crc.reset();
        filled = 0;
      }
    }
  }

  /** Since the process began; 0 where the system does not tell. */
  private static long peakRssBytes() {
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1))
        if (line.startsWith("VmHWM:")) return 1024 * Long.parseLong(line.replaceAll("\\D", ""));
    } catch (IOException | NumberFormatException none) {
      // There is no such file but on Linux.
    }
    return 0;
  }

  private static String measure(Map<String, String> args) throws IOException {
    CelebornConf conf = new CelebornConf();
    args.forEach(
        (name, value) -> {
          if (name.startsWith("celeborn.")) conf.set(name, value);
        });
    ShuffleClientImpl client =
        new ShuffleClientImpl(args.get("app"), conf, new UserIdentifier("default", "default"));
    client.setupLifecycleManagerRef(args.get("host"), Integer.parseInt(args.get("port")));
    ReadPartitions reader = new ReadPartitions(client, args);
    int warmRuns = Integer.parseInt(args.get("warm"));
    for (int i = 0; i < warmRuns; i++) reader.run(i == 0);
    OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    long cpuBefore = system.getProcessCpuTime();
    long start = System.nanoTime();
    reader.run(false);
    double wallMs = (System.nanoTime() - start) / 1e6;
    double cpuMs = (system.getProcessCpuTime() - cpuBefore) / 1e6;
    return String.format(
        "{\"bytes\":%d,\"sum\":%d,\"wallMs\":%s,\"cpuMs\":%s,\"checksum\":%d,\"peakRssBytes\":%d}",
        reader.bytes, reader.sum, wallMs, cpuMs, reader.checksum, peakRssBytes());
  }

  public static void main(String[] words) {
    PrintStream out = System.out;
    // Whatever else is printed is a log.
    System.setOut(System.err);
    int status = 0;
    try {
      Map<String, String> args = new HashMap<>();
      for (String word : words) {
        int equals = word.indexOf('=');
        args.put(word.substring(0, equals), word.substring(equals + 1));
      }
      out.println(measure(args));
      out.flush();
    } catch (Throwable error) {
      System.err.println("error: " + error);
      error.printStackTrace();
      status = 1;
    }
    // Celeborn's threads would go on.
    Runtime.getRuntime().halt(status);
  }
}
