package interop;

import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.celeborn.client.LifecycleManager;
import org.apache.celeborn.client.ShuffleClientImpl;
import org.apache.celeborn.client.read.MetricsCallback;
import org.apache.celeborn.common.CelebornConf;
import org.apache.celeborn.common.identity.UserIdentifier;

/** Celeborn's own LifecycleManager and ShuffleClient, by application. */
final class ShuffleCommands {
  private final Map<String, LifecycleManager> managers = new ConcurrentHashMap<>();
  private final Map<String, ShuffleClientImpl> clients = new ConcurrentHashMap<>();

  void addTo(Map<String, Agent.Command> commands) {
    commands.put("manager", this::manager);
    commands.put("stop-manager", (args, answer) -> managers.remove(args.text("app")).stop());
    commands.put("client", this::client);
    commands.put("stop-client", (args, answer) -> clients.remove(args.text("app")).shutdown());
    commands.put("write", this::write);
    commands.put("read", this::read);
    commands.put("shuffle-id", this::shuffleId);
    commands.put("fetch-failure", this::fetchFailure);
  }

  private static CelebornConf conf(Args args) {
    CelebornConf conf = new CelebornConf();
    args.startingWith("celeborn.").forEach(conf::set);
    return conf;
  }

  private void manager(Args args, Answer answer) {
    LifecycleManager manager = new LifecycleManager(args.text("app"), conf(args));
    // As Spark's scheduler does: it runs the stage again, with the same rows.
    manager.registerShuffleTrackerCallback(appShuffle -> {});
    manager.registerAppShuffleDeterminate(0, true);
    managers.put(args.text("app"), manager);
    answer.put("host", manager.getHost());
    answer.put("port", manager.getPort());
  }

  private void client(Args args, Answer answer) {
    String app = args.text("app");
    ShuffleClientImpl client = new ShuffleClientImpl(app, conf(args), new UserIdentifier("default", "default"));
    client.setupLifecycleManagerRef(args.text("host"), args.number("port"));
    clients.put(app, client);
  }

  /**
   * One map task: its batches in order, each {@code partition:size}, with m in front where it is to be merged with
   * others. An attempt without {@code end} leaves its batches behind, as one that dies does.
   */
  private void write(Args args, Answer answer) throws Exception {
    ShuffleClientImpl client = clients.get(args.text("app"));
    int shuffle = args.number("shuffle");
    int map = args.number("map");
    int attempt = args.number("attempt");
    int mappers = args.number("mappers");
    int partitions = args.number("partitions");
    int seed = args.number("seed");
    String[] batches = args.text("batches").split(",");
    for (int i = 0; i < batches.length; i++) {
      boolean merged = batches[i].startsWith("m");
      String[] batch = batches[i].substring(merged ? 1 : 0).split(":");
      int partition = Integer.parseInt(batch[0]);
      byte[] data = Content.batch(seed, map, i, Integer.parseInt(batch[1]));
      if (merged)
        client.mergeData(shuffle, map, attempt, partition, data, 0, data.length, mappers, partitions);
      else client.pushData(shuffle, map, attempt, partition, data, 0, data.length, mappers, partitions);
    }
    client.pushMergedData(shuffle, map, attempt);
    if (args.flag("end")) client.mapperEnd(shuffle, map, attempt, mappers);
    else client.cleanup(shuffle, map, attempt);
  }

  private void read(Args args, Answer answer) throws Exception {
    ShuffleClientImpl client = clients.get(args.text("app"));
    MetricsCallback nobody =
        new MetricsCallback() {
          @Override
          public void incBytesRead(long bytes) {}

          @Override
          public void incReadTime(long time) {}
        };
    Digest digest = new Digest();
    try (InputStream in =
        client.readPartition(
            args.number("shuffle"),
            args.number("partition"),
            0,
            args.number("from"),
            args.number("to"),
            nobody)) {
      digest.read(in);
    }
    digest.answer(answer);
  }

  private void shuffleId(Args args, Answer answer) {
    ShuffleClientImpl client = clients.get(args.text("app"));
    answer.put("id", client.getShuffleId(0, args.text("run"), args.flag("writer"), false));
  }

  private void fetchFailure(Args args, Answer answer) {
    answer.put("again", clients.get(args.text("app")).reportShuffleFetchFailure(0, args.number("shuffle")));
  }
}
