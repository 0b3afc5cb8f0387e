/** The items in their order, begun with another one each round: whatever else the machine does meets all of them. */
export function rotated<T>(items: readonly T[], round: number): readonly T[] {
  const start = round % items.length
  return [...items.slice(start), ...items.slice(0, start)]
}
