import { ShuffleClient } from '../../src/client'
import { type CelebornConf } from '../../src/conf'
import { CelebornError } from '../../src/errors'
import { type Shuffle } from './messages'
import { type Source } from './source'

/** This package's own client, as its users read. */
export class ClientSource implements Source {
  readonly #client: ShuffleClient
  #fetchedBytes = 0

  /** @param local whether the worker's files must be read on this host; otherwise none of them may */
  constructor(
    private readonly shuffle: Shuffle,
    conf: CelebornConf,
    private readonly local: boolean,
  ) {
    const { appId, lifecycleManager } = shuffle
    this.#client = new ShuffleClient({ appId, conf, lifecycleManager })
  }

  get fetchedBytes(): number {
    return this.#fetchedBytes
  }

  async read(partitionId: number, use: (piece: Uint8Array) => void): Promise<void> {
    const reader = this.#client.readPartition(this.shuffle.shuffleId, partitionId)
    for await (const batch of reader) use(batch)
    const { bytes, locations, localReads, retries } = reader.stats
    this.#fetchedBytes += bytes
    if (retries === 0 && localReads === (this.local ? locations : 0)) return
    throw new CelebornError(
      'CELEBORN_INTERNAL',
      `a sample is void: of ${locations} locations ${localReads} were read on this host, and ${retries} again`,
    )
  }

  close(): Promise<void> {
    return this.#client.close()
  }
}
