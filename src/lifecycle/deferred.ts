/** A promise with its ends outside. A rejection that nobody waits for is no unhandled rejection. */
export interface Deferred<T> {
  readonly promise: Promise<T>
  readonly settled: boolean
  resolve(value: T): void
  reject(error: Error): void
}

export function deferred<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<T>((res, rej) => {
    resolve = res
    reject = rej
  })
  promise.catch(() => undefined)
  let settled = false
  return {
    promise,
    get settled() {
      return settled
    },
    resolve(value) {
      settled = true
      resolve(value)
    },
    reject(error) {
      settled = true
      reject(error)
    },
  }
}
