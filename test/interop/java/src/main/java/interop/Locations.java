package interop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.celeborn.common.protocol.PartitionLocation;
import org.apache.celeborn.common.protocol.PbPackedPartitionLocationsPair;
import org.apache.celeborn.common.protocol.StorageInfo;
import org.apache.celeborn.common.util.PbSerDeUtils;
import org.apache.celeborn.common.util.Utils;
import org.apache.celeborn.shaded.org.roaringbitmap.RoaringBitmap;
import scala.Tuple2;
import scala.collection.JavaConverters;

/** Partition locations: random ones, packed ones, and as text for comparison. */
final class Locations {
  private static final String[] NAMES = {"worker", "10.0.0.7", "::1", "fe80::2", "wörker", "工人", "a-b.c"};
  private static final String[] MOUNT_POINTS = {"", "/mnt/disk1", "/mnt/disk2", "/", "/mnt/größe"};

  private Locations() {}

  static String name(Random random) {
    return NAMES[random.nextInt(NAMES.length)] + (random.nextBoolean() ? "" : Integer.toHexString(random.nextInt()));
  }

  private static int port(Random random) {
    return 1 + random.nextInt(65535);
  }

  static RoaringBitmap bitmap(Random random) {
    RoaringBitmap bitmap = new RoaringBitmap();
    int bound = random.nextBoolean() ? 70_000 : 100;
    int from = random.nextInt(bound);
    // Dense ones, too: a container of many values has another form.
    if (random.nextInt(4) == 0) bitmap.add((long) from, from + 1L + random.nextInt(6_000));
    for (int i = 1 + random.nextInt(40); i > 0; i--) bitmap.add(random.nextInt(bound));
    return bitmap;
  }

  private static PartitionLocation one(Random random, int id, PartitionLocation.Mode mode) {
    String mountPoint = MOUNT_POINTS[random.nextInt(MOUNT_POINTS.length)];
    StorageInfo storage =
        new StorageInfo(
            StorageInfo.Type.values()[random.nextInt(StorageInfo.Type.values().length)],
            mountPoint,
            random.nextBoolean(),
            random.nextBoolean() ? "" : mountPoint + "/app/" + id + "/" + random.nextInt(9),
            random.nextInt(32));
    return new PartitionLocation(
        id,
        random.nextInt(5),
        name(random),
        port(random),
        port(random),
        port(random),
        port(random),
        mode,
        null,
        storage,
        random.nextBoolean() ? bitmap(random) : null);
  }

  /** Primaries with and without a replica, replicas whose primary is in the list, elsewhere or nowhere. */
  static List<PartitionLocation> random(Random random, int count) {
    List<PartitionLocation> locations = new ArrayList<>();
    for (int id = 0; id < count; id++) {
      PartitionLocation primary = one(random, id, PartitionLocation.Mode.PRIMARY);
      PartitionLocation replica = one(random, id, PartitionLocation.Mode.REPLICA);
      int kind = random.nextInt(5);
      if (kind <= 2) {
        primary.setPeer(replica);
        replica.setPeer(primary);
      }
      if (kind != 2 && kind != 4) locations.add(primary);
      if (kind != 0 && kind != 3) locations.add(replica);
    }
    Collections.shuffle(locations, random);
    return locations;
  }

  static PbPackedPartitionLocationsPair pack(List<PartitionLocation> locations) {
    return PbSerDeUtils.toPbPackedPartitionLocationsPair(
        JavaConverters.asScalaBufferConverter(locations).asScala().toList());
  }

  /** Primaries first, then replicas, each in order. */
  static String text(List<PartitionLocation> locations) {
    StringBuilder text = new StringBuilder();
    for (PartitionLocation.Mode mode : PartitionLocation.Mode.values())
      for (PartitionLocation location : locations)
        if (location.getMode() == mode) text.append(text(location)).append(';');
    return text.toString();
  }

  static String text(PbPackedPartitionLocationsPair pair) {
    return text(unpack(pair));
  }

  static List<PartitionLocation> unpack(PbPackedPartitionLocationsPair pair) {
    Tuple2<List<PartitionLocation>, List<PartitionLocation>> lists =
        PbSerDeUtils.fromPbPackedPartitionLocationsPair(pair);
    List<PartitionLocation> all = new ArrayList<>(lists._1());
    all.addAll(lists._2());
    return all;
  }

  static boolean isPeerOfItsPeer(PartitionLocation location) {
    return location.getPeer() == null || location.getPeer().getPeer() == location;
  }

  static String text(PartitionLocation location) {
    String own = own(location);
    return location.getPeer() == null ? own : own + " with " + own(location.getPeer());
  }

  private static String own(PartitionLocation location) {
    StorageInfo storage = location.getStorageInfo();
    RoaringBitmap bitmap = location.getMapIdBitMap();
    List<Object> values =
        Arrays.asList(
            location.getMode().mode(),
            location.getId(),
            location.getEpoch(),
            location.getHost(),
            location.getRpcPort(),
            location.getPushPort(),
            location.getFetchPort(),
            location.getReplicatePort(),
            storage.getType().getValue(),
            storage.getMountPoint(),
            storage.isFinalResult(),
            storage.getFilePath(),
            storage.availableStorageTypes,
            bitmap == null
                ? ""
                : Base64.getEncoder().encodeToString(Utils.roaringBitmapToByteString(bitmap).toByteArray()));
    StringBuilder text = new StringBuilder();
    for (Object value : values) text.append(value).append('|');
    return text.toString();
  }
}
