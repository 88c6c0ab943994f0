/** What the benchmarks of large galleries measure by, and how they leave a world behind. */
import pg from 'pg'
import type { World } from '@gatehouse/dev-env/world'
import type { Usage } from './gallery-server.ts'
import type { BenchResult } from './result.ts'

/** Seconds since a moment of the monotonic clock. */
export const seconds = (since: number): number => (performance.now() - since) / 1000
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

/** Milliseconds that work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

export const memoryRows = (name: string, usage: Usage | null): BenchResult[] =>
  usage === null
    ? []
    : [
        { name: `${name}: memory of the server`, value: usage.memory, unit: 'MB' },
        { name: `${name}: memory of the server, at most`, value: usage.peak, unit: 'MB' },
      ]

/** Deletes every photograph of a world. */
export async function emptied(world: World): Promise<void> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  await client.query('truncate face cascade')
  await client.end()
}
