/** A value that is made once, for all who ask for it, meanwhile and later; after a failure anew. */
export class Once<T> {
  #making: Promise<T> | undefined
  #value: T | undefined

  /** Undefined before it is made. */
  get value(): T | undefined {
    return this.#value
  }

  /** Forgets it. */
  take(): T | undefined {
    const value = this.#value
    this.#value = undefined
    this.#making = undefined
    return value
  }

  get(make: () => Promise<T>): Promise<T> {
    this.#making ??= this.#make(make)
    return this.#making
  }

  async #make(make: () => Promise<T>): Promise<T> {
    try {
      this.#value = await make()
      return this.#value
    } catch (error) {
      this.#making = undefined
      throw error
    }
  }
}
