/** Measurements shared by the benchmarks of large galleries, and their cleanup of a world. */
import pg from 'pg'
import type { World } from '@gatehouse/dev-env/world'
import type { Usage } from './gallery-server.ts'
import type { BenchResult } from './result.ts'

/** Return the seconds since a moment of the monotonic clock. */
export const seconds = (since: number): number => (performance.now() - since) / 1000
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))]!

/** Return the milliseconds that work takes. */
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

/** Delete every photo of a world. */
export async function emptied(world: World): Promise<void> {
  const client = new pg.Client(world.connectionString)
  await client.connect()
  await client.query('truncate face cascade')
  await client.end()
}
