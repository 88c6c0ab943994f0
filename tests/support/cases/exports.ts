import { exportStatus } from '@gatehouse/contract/enums'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { until } from '../until.ts'
import type { Ground, CallCase } from './case.ts'

/** Create an export and wait until no background work is left. It belongs to its creator alone. */
async function made({ world, site }: Ground): Promise<{ id: string; taskId: string }> {
  const { id } = await site.call(exportCalls.accessRecord, { body: { format: 'csv' } })
  await until('the export', async () => (await site.call(exportCalls.progress, { query: { id } })).status === exportStatus.exported)
  await until('its work to end', async () => (await world.server.platform.work.latest({ parkId: site.park.id }, 'exports.make'))?.endedAt)
  return { id, taskId: id }
}

const foreign: Pick<CallCase, 'given' | 'lastWord'> = { given: made, lastWord: [404, 404] }

export const cases: readonly CallCase[] = [
  { call: exportCalls.progress, ...foreign },
  { call: exportCalls.cancel, ...foreign },
  { call: exportCalls.stop, ...foreign },
  { call: exportCalls.retry, ...foreign },
  { call: exportCalls.download, ...foreign },
]
