package interop;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.apache.celeborn.common.protocol.PartitionLocation;
import org.apache.celeborn.common.protocol.PbPackedPartitionLocationsPair;
import org.apache.celeborn.common.protocol.PbPartitionLocation;
import org.apache.celeborn.common.protocol.TransportMessages;
import org.apache.celeborn.common.util.PbSerDeUtils;
import org.apache.celeborn.common.util.Utils;
import org.apache.celeborn.shaded.com.google.protobuf.ByteString;
import org.apache.celeborn.shaded.com.google.protobuf.Descriptors.Descriptor;
import org.apache.celeborn.shaded.com.google.protobuf.Descriptors.EnumValueDescriptor;
import org.apache.celeborn.shaded.com.google.protobuf.Descriptors.FieldDescriptor;
import org.apache.celeborn.shaded.com.google.protobuf.Message;

/** Control messages: random ones, and as text in which equal ones are equal. */
final class Messages {
  /** Nested deeper than this only where Celeborn's messages nest in themselves. */
  private static final int MAX_DEPTH = 5;

  private final Random random;
  private final Set<String> leftOut;

  private Messages(Random random, Set<String> leftOut) {
    this.random = random;
    this.leftOut = leftOut;
  }

  /** The generated class of that name. */
  static Message empty(String name) throws Exception {
    Class<?> type = Class.forName("org.apache.celeborn.common.protocol." + name);
    return (Message) type.getMethod("getDefaultInstance").invoke(null);
  }

  static Message parse(Message empty, byte[] payload) throws Exception {
    return empty.getParserForType().parseFrom(payload);
  }

  /** @param leaveOut full names of fields that stay empty, parted by commas */
  static Message random(Message empty, Random random, String leaveOut) {
    Messages messages = new Messages(random, new HashSet<>(Arrays.asList(leaveOut.split(","))));
    return messages.fill(empty.newBuilderForType(), 0);
  }

  private Message fill(Message.Builder builder, int depth) {
    Descriptor type = builder.getDescriptorForType();
    switch (type.getName()) {
      case "PbPackedPartitionLocationsPair":
        return Locations.pack(Locations.random(random, random.nextInt(6)));
      case "PbPartitionLocation":
        return location();
      default:
    }
    // Lists that belong together are equally long.
    int count = random.nextInt(4);
    for (FieldDescriptor field : type.getFields()) {
      if (leftOut.contains(field.getFullName())) continue;
      if (field.getType() == FieldDescriptor.Type.MESSAGE && depth >= MAX_DEPTH) continue;
      if (!field.isRepeated()) {
        builder.setField(field, value(builder, field, depth, 0));
        continue;
      }
      for (int i = 0; i < count; i++) builder.addRepeatedField(field, value(builder, field, depth, i));
    }
    return builder.build();
  }

  private PbPartitionLocation location() {
    List<PartitionLocation> some = new ArrayList<>();
    while (some.isEmpty()) some = Locations.random(random, 1);
    return PbSerDeUtils.toPbPartitionLocation(some.get(0));
  }

  private Object value(Message.Builder builder, FieldDescriptor field, int depth, int index) {
    switch (field.getType()) {
      case MESSAGE:
        return field.isMapField() ? entry(builder, field, depth, index) : fill(builder.newBuilderForField(field), depth + 1);
      case BOOL:
        return random.nextBoolean();
      case ENUM:
        List<EnumValueDescriptor> values = field.getEnumType().getValues();
        return values.get(random.nextInt(values.size()));
      case STRING:
        return Locations.name(random);
      case BYTES:
        return bytes(field.getFullName());
      case INT32:
        return random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(40);
      case INT64:
        // JavaScript's integers end at 2^53; only the ids of streams are taken as they are.
        return field.getName().equals("streamId") ? random.nextLong() : random.nextLong() >>> (11 + random.nextInt(40));
      default:
        throw new IllegalStateException("nobody has seen a " + field.getType() + " in " + field.getFullName());
    }
  }

  private Message entry(Message.Builder builder, FieldDescriptor field, int depth, int index) {
    Message.Builder entry = builder.newBuilderForField(field);
    FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
    FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
    entry.setField(key, key.getType() == FieldDescriptor.Type.STRING ? key(field.getName(), index) : (Object) index);
    entry.setField(
        value,
        value.getType() == FieldDescriptor.Type.BYTES
            ? bytes(field.getFullName())
            : value(entry, value, depth + 1, index));
    return entry.build();
  }

  private static String key(String map, int index) {
    switch (map) {
      case "userResourceConsumption":
        return "`tenant" + index + "`.`user`";
      case "packedWorkerResource":
        return "worker-" + index + ":1:2:3:4";
      default:
        return "key" + index;
    }
  }

  private ByteString bytes(String name) {
    if (name.toLowerCase().contains("bitmap")) return Utils.roaringBitmapToByteString(Locations.bitmap(random));
    byte[] bytes = new byte[1 + random.nextInt(30)];
    random.nextBytes(bytes);
    return ByteString.copyFrom(bytes);
  }

  /** Fields in the order of their numbers, maps by key, lists of locations unpacked; what is empty is left out. */
  static String text(Message message) {
    if (message instanceof PbPackedPartitionLocationsPair)
      return Locations.text((PbPackedPartitionLocationsPair) message);
    TreeMap<Integer, String> fields = new TreeMap<>();
    message.getAllFields().forEach((field, value) -> {
      String text = field.isMapField() ? mapText((List<?>) value) : listText(field, value);
      if (!text.isEmpty()) fields.put(field.getNumber(), field.getName() + "=" + text);
    });
    return String.join(" ", fields.values());
  }

  private static String mapText(List<?> entries) {
    TreeMap<String, String> texts = new TreeMap<>();
    for (Object one : entries) {
      Message entry = (Message) one;
      Map<FieldDescriptor, Object> fields = entry.getAllFields();
      FieldDescriptor key = entry.getDescriptorForType().findFieldByNumber(1);
      FieldDescriptor value = entry.getDescriptorForType().findFieldByNumber(2);
      Object valueSet = fields.getOrDefault(value, entry.getField(value));
      texts.put(String.valueOf(entry.getField(key)), scalarText(valueSet));
    }
    return texts.toString();
  }

  private static String listText(FieldDescriptor field, Object value) {
    if (!field.isRepeated()) return scalarText(value);
    List<String> texts = new ArrayList<>();
    for (Object one : (List<?>) value) texts.add(scalarText(one));
    return texts.toString();
  }

  private static String scalarText(Object value) {
    if (value instanceof Message) {
      String text = text((Message) value);
      return text.isEmpty() ? "" : "{" + text + "}";
    }
    if (value instanceof ByteString) return Base64.getEncoder().encodeToString(((ByteString) value).toByteArray());
    return String.valueOf(value);
  }

  /** Every field of every message: {@code message.field number type}, repeated ones with a star. */
  static String schema() {
    List<String> fields = new ArrayList<>();
    for (Descriptor type : TransportMessages.getDescriptor().getMessageTypes())
      for (FieldDescriptor field : type.getFields()) fields.add(fieldText(type, field));
    return String.join(";", fields);
  }

  private static String fieldText(Descriptor type, FieldDescriptor field) {
    String value = typeText(field);
    if (field.isMapField()) {
      Descriptor entry = field.getMessageType();
      value = "map<" + typeText(entry.findFieldByNumber(1)) + "," + typeText(entry.findFieldByNumber(2)) + ">";
    } else if (field.isRepeated()) value += "*";
    return type.getName() + "." + field.getName() + " " + field.getNumber() + " " + value;
  }

  private static String typeText(FieldDescriptor field) {
    switch (field.getType()) {
      case MESSAGE:
        return field.getMessageType().getName();
      case ENUM:
        // The same on the wire.
        return "int32";
      default:
        return field.getType().name().toLowerCase();
    }
  }
}
