/** Of Celeborn's client in pom.xml. */
export declare const CELEBORN_VERSION: string

/** What is made once and used again. Files of one run go into a folder of it, from where they can be moved. */
export declare const javaCache: string

/** A Java program that leaves no statistics of its own in the system's directory for temporary files. */
export declare const QUIET_JVM: string

/** What Celeborn's use of memory needs from a JDK 17. */
export declare const CELEBORN_JVM_OPTIONS: readonly string[]

/** How this run prepares what is missing. */
export interface Preparing {
  /** A folder of {@link javaCache} that the caller removes. */
  readonly runDir: string
  /** Runs a command in the root of the repository, `env` added to its environment. Rejects when it fails. */
  readonly run: (
    what: string,
    command: string,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ) => Promise<unknown>
}

/** Names of the tools that are not installed, or too old. */
export declare function missingJavaTools(): string[]

/** Celeborn's client with what it needs. */
export declare function celebornJars(how: Preparing): Promise<{
  readonly jars: readonly string[]
  /** The shaded jar of the client itself. */
  readonly client: string
}>

/** The class path for sources of ours, compiled against the jars. */
export declare function compiledWith(
  jars: readonly string[],
  program: { readonly name: string; readonly sources: readonly string[] },
  how: Preparing,
): Promise<string>
