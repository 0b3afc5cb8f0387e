let next = 0

/**
 * The next request id. One counter for the whole thread, as pushes and RPCs of one connection share their ids'
 * space. It cannot run out: 2^53 ids.
 */
export function nextRequestId(): number {
  return next++
}
