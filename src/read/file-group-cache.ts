import { type FileGroups, type ReadLifecycle } from './lifecycle'

/** File groups of ended shuffles, asked for once per shuffle however many partitions are read. */
export class FileGroupCache {
  private readonly known = new Map<number, Promise<FileGroups>>()

  constructor(private readonly lifecycle: ReadLifecycle) {}

  get(shuffleId: number): Promise<FileGroups> {
    const known = this.known.get(shuffleId)
    if (known !== undefined) return known
    const asked = this.lifecycle.reducerFileGroups(shuffleId)
    this.known.set(shuffleId, asked)
    const forget = (): void => {
      if (this.known.get(shuffleId) === asked) this.known.delete(shuffleId)
    }
    // A failure is not remembered, nor that the driver knows no such shuffle: the next reader asks again, and may find that
    // it has been written meanwhile.
    asked.then(({ attempts }) => {
      if (attempts.length === 0) forget()
    }, forget)
    return asked
  }

  forget(shuffleId: number): void {
    this.known.delete(shuffleId)
  }
}
