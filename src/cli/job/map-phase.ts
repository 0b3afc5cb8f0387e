import { type TaskPlan } from '../input/plan'
import { runAtOnce } from './at-once'
import { MapTask, type MapTaskOptions } from './map-task'

export interface MapPhaseOptions extends Omit<MapTaskOptions, 'attempt' | 'plan'> {
  readonly shuffleId: number
  readonly plans: readonly TaskPlan[]
  readonly partitions: number
  readonly tasksAtOnce: number
}

/** Runs all map tasks, some at once. The first failure stops the others, and all have ended when it is thrown. */
export async function runMapTasks(options: MapPhaseOptions): Promise<void> {
  const { shuffleId, plans, partitions, tasksAtOnce, ...common } = options
  await runAtOnce(plans.length, tasksAtOnce, common.signal, (mapId, signal) => {
    const attempt = { shuffleId, mapId, attemptId: 0, numMappers: plans.length, numPartitions: partitions }
    return new MapTask({ ...common, attempt, plan: plans[mapId] ?? [], signal }).run()
  })
}
