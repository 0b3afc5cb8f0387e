/** The variants of a round: another one begins each round. */
export function turned<T>(variants: readonly T[], round: number): readonly T[] {
  const first = ((round % variants.length) + variants.length) % variants.length
  return [...variants.slice(first), ...variants.slice(0, first)]
}
