package interop;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.celeborn.client.compress.Compressor;
import org.apache.celeborn.client.compress.Decompressor;
import org.apache.celeborn.common.CelebornConf;
import org.apache.celeborn.common.client.MasterNotLeaderException;
import org.apache.celeborn.common.exception.CelebornIOException;
import org.apache.celeborn.common.network.protocol.TransportMessage;
import org.apache.celeborn.common.protocol.MessageType;
import org.apache.celeborn.common.protocol.PartitionLocation;
import org.apache.celeborn.common.protocol.PbPackedPartitionLocationsPair;
import org.apache.celeborn.common.rpc.netty.RpcEndpointVerifier;
import org.apache.celeborn.common.rpc.netty.RpcFailure;
import org.apache.celeborn.common.serializer.JavaSerializer;
import org.apache.celeborn.common.serializer.SerializerInstance;
import org.apache.celeborn.common.util.Utils;
import org.apache.celeborn.shaded.com.google.protobuf.ByteString;
import org.apache.celeborn.shaded.com.google.protobuf.Message;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Bytes on the wire, made and read by Celeborn's own classes. */
final class WireCommands {
  private final SerializerInstance java = new JavaSerializer(new CelebornConf()).newInstance();

  void addTo(Map<String, Agent.Command> commands) {
    commands.put("compress", this::compress);
    commands.put("decompress", this::decompress);
    commands.put("random-message", this::randomMessage);
    commands.put("read-message", this::readMessage);
    commands.put("random-locations", this::randomLocations);
    commands.put("read-locations", this::readLocations);
    commands.put("read-bitmap", this::readBitmap);
    commands.put("write-lookup", (args, answer) ->
        answer.putBytes("v1", write(new RpcEndpointVerifier.CheckExistence(args.text("name")))));
    commands.put("write-boolean", (args, answer) -> answer.putBytes("v1", write(args.flag("value"))));
    commands.put("read-object", this::readObject);
    commands.put("random-failure", this::randomFailure);
    commands.put("schema", (args, answer) -> answer.put("fields", Messages.schema()));
  }

  private static CelebornConf codec(Args args) {
    CelebornConf conf = new CelebornConf();
    conf.set("celeborn.client.shuffle.compression.codec", args.text("codec"));
    conf.set("celeborn.client.shuffle.compression.zstd.level", args.text("level"));
    return conf;
  }

  private void compress(Args args, Answer answer) {
    byte[] data = args.bytes("data");
    Compressor compressor = Compressor.getCompressor(codec(args));
    compressor.compress(data, 0, data.length);
    byte[] block = new byte[compressor.getCompressedTotalSize()];
    System.arraycopy(compressor.getCompressedBuffer(), 0, block, 0, block.length);
    answer.putBytes("block", block);
  }

  private void decompress(Args args, Answer answer) throws IOException {
    byte[] block = args.bytes("block");
    Decompressor decompressor = Decompressor.getDecompressor(codec(args));
    byte[] data = new byte[decompressor.getOriginalLen(block)];
    int length = decompressor.decompress(block, data, 0);
    if (length != data.length) throw new IOException("not a valid block: " + length);
    answer.putBytes("data", data);
  }

  private static ClassTag<Object> any() {
    return ClassTag$.MODULE$.Any();
  }

  private byte[] write(Object object) {
    ByteBuffer buffer = java.serialize(object, any());
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private Object read(byte[] bytes) {
    return java.deserialize(ByteBuffer.wrap(bytes), any());
  }

  private void randomMessage(Args args, Answer answer) throws Exception {
    MessageType type = MessageType.forNumber(args.number("type"));
    Message empty = Messages.empty(args.text("class"));
    Message message = Messages.random(empty, new Random(args.large("seed")), args.text("leave-out"));
    TransportMessage transport = new TransportMessage(type, message.toByteArray());
    answer.putBytes("v1", write(transport));
    answer.putBytes("bare", bytes(transport.toByteBuffer()));
    answer.put("text", Messages.text(message));
  }

  private static byte[] bytes(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    return bytes;
  }

  private void readMessage(Args args, Answer answer) throws Exception {
    Message empty = Messages.empty(args.text("class"));
    // Celeborn's own reader goes on to the classes that it works with.
    answer.put("class", args.flag("rpc") ? read(args.bytes("v1")).getClass().getSimpleName() : "");
    TransportMessage v1 =
        (TransportMessage) new ObjectInputStream(new ByteArrayInputStream(args.bytes("v1"))).readObject();
    TransportMessage bare = TransportMessage.fromByteBuffer(ByteBuffer.wrap(args.bytes("bare")));
    answer.put("type", v1.getMessageTypeValue());
    answer.put("text", Messages.text(Messages.parse(empty, v1.getPayload())));
    answer.put("bareType", bare.getMessageTypeValue());
    answer.put("bareText", Messages.text(Messages.parse(empty, bare.getPayload())));
  }

  private void randomLocations(Args args, Answer answer) {
    List<PartitionLocation> locations = Locations.random(new Random(args.large("seed")), args.number("count"));
    answer.putBytes("pair", Locations.pack(locations).toByteArray());
    answer.put("text", Locations.text(locations));
  }

  private void readLocations(Args args, Answer answer) throws Exception {
    List<PartitionLocation> locations =
        Locations.unpack(PbPackedPartitionLocationsPair.parseFrom(args.bytes("pair")));
    answer.put("text", Locations.text(locations));
    answer.put("mutual", locations.stream().allMatch(Locations::isPeerOfItsPeer));
  }

  private void readBitmap(Args args, Answer answer) {
    List<String> ids = new ArrayList<>();
    for (int id : Utils.byteStringToRoaringBitmap(ByteString.copyFrom(args.bytes("bitmap"))).toArray())
      ids.add(Integer.toString(id));
    answer.put("ids", String.join(",", ids));
  }

  private void readObject(Args args, Answer answer) {
    Object object = read(args.bytes("v1"));
    answer.put("class", object.getClass().getName());
    answer.put(
        "value",
        object instanceof RpcEndpointVerifier.CheckExistence
            ? ((RpcEndpointVerifier.CheckExistence) object).name()
            : object);
  }

  private void randomFailure(Args args, Answer answer) {
    Random random = new Random(args.large("seed"));
    List<Throwable> chain = new ArrayList<>();
    Throwable error = null;
    for (int depth = 1 + random.nextInt(4); depth > 0; depth--) {
      error = throwable(random, error);
      chain.add(0, error);
    }
    if (random.nextBoolean()) error.addSuppressed(new IOException("beside it"));
    answer.putBytes("v1", write(new RpcFailure(error)));
    answer.put("classes", chain.stream().map(e -> e.getClass().getName()).collect(Collectors.joining("|")));
    answer.put("messages", chain.stream().map(e -> String.valueOf(e.getMessage())).collect(Collectors.joining("|")));
  }

  private static Throwable throwable(Random random, Throwable cause) {
    String message = random.nextInt(8) == 0 ? null : Locations.name(random);
    switch (random.nextInt(4)) {
      case 0:
        return new IllegalStateException(message, cause);
      case 1:
        return new IOException(message, cause);
      case 2:
        return new CelebornIOException(message == null ? "none" : message, cause);
      default:
        return cause == null
            ? new MasterNotLeaderException("here:9097", "there:9098", null)
            : new RuntimeException(message, cause);
    }
  }
}
