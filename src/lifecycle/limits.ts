/**
 * Largest shuffle that a client may register. They bound what one message from the wire makes the driver allocate:
 * 4 bytes per map task, and one table slot per partition.
 */

/** Map tasks of one shuffle. */
export const MAX_MAPPERS = 1_048_576

/** Partitions of one shuffle. */
export const MAX_PARTITIONS = 1_048_576

/** Shuffles that one application may have at a time. */
export const MAX_SHUFFLES = 65_536

/** Map tasks of all live shuffles together: 128 MiB of attempts. */
export const MAX_TOTAL_MAPPERS = 33_554_432

/** A partition's epoch cannot pass this; each split or revive takes one. */
export const MAX_EPOCH = 0x7fff_fffe
