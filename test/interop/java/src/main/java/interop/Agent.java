package interop;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Carries out what the tests ask for on its standard input, one command a line, several at a time:
 * {@code id command key=value ...}, parted by tabs. Answers {@code id ok key=value ...} or {@code id error text}.
 * Ends with its input, so that no process outlives the test that started it.
 */
public final class Agent {
  interface Command {
    void run(Args args, Answer answer) throws Exception;
  }

  private final Map<String, Command> commands = new HashMap<>();
  private final PrintStream out;

  private Agent(PrintStream out) {
    this.out = out;
    new ShuffleCommands().addTo(commands);
    new WireCommands().addTo(commands);
    commands.put("ping", (args, answer) -> answer.put("java", System.getProperty("java.version")));
  }

  private void carryOut(String line) {
    String[] parts = line.split("\t");
    Answer answer = new Answer();
    String text;
    try {
      Command command = commands.get(parts[1]);
      if (command == null) throw new IllegalArgumentException("there is no command " + parts[1]);
      command.run(new Args(parts), answer);
      text = parts[0] + "\tok" + answer;
    } catch (Throwable error) {
      StringWriter trace = new StringWriter();
      error.printStackTrace(new PrintWriter(trace));
      text = parts[0] + "\terror\t" + Answer.escape(trace.toString());
    }
    synchronized (out) {
      out.println(text);
      out.flush();
    }
  }

  public static void main(String[] args) throws Exception {
    // Whatever else is printed is a log.
    Agent agent = new Agent(new PrintStream(System.out, false, "UTF-8"));
    System.setOut(System.err);
    ExecutorService threads = Executors.newCachedThreadPool();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String command = line;
      threads.execute(() -> agent.carryOut(command));
    }
    Runtime.getRuntime().halt(0);
  }
}
