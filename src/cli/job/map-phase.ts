import { AbortedError } from '../../errors'
import { type TaskPlan } from '../input/plan'
import { MapTask, type MapTaskOptions } from './map-task'

export interface MapPhaseOptions extends Omit<MapTaskOptions, 'attempt' | 'plan' | 'signal'> {
  readonly shuffleId: number
  readonly plans: readonly TaskPlan[]
  readonly partitions: number
  readonly tasksAtOnce: number
  readonly signal: AbortSignal
}

/** Runs all map tasks, some at once. The first failure stops the others, and all have ended when it is thrown. */
export async function runMapTasks(options: MapPhaseOptions): Promise<void> {
  const { shuffleId, plans, partitions, tasksAtOnce, signal, ...common } = options
  const stop = new AbortController()
  const either = AbortSignal.any([signal, stop.signal])
  let failure: Error | undefined
  let next = 0
  const runSome = async (): Promise<void> => {
    for (let mapId = next++; mapId < plans.length; mapId = next++) {
      const attempt = { shuffleId, mapId, attemptId: 0, numMappers: plans.length, numPartitions: partitions }
      try {
        await new MapTask({ ...common, attempt, plan: plans[mapId] ?? [], signal: either }).run()
      } catch (error) {
        failure ??= error instanceof Error ? error : new Error(String(error))
        stop.abort(new AbortedError('another map task failed'))
        return
      }
    }
  }
  await Promise.all(Array.from({ length: tasksAtOnce }, runSome))
  if (failure !== undefined) throw failure
}
