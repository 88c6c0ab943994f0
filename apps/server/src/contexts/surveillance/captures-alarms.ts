/** What areas above know of the alarms of captures. */
import type { Extensions } from '../../platform/extension-points.ts'
import type { Scope } from '../../platform/session/session.ts'
import { captureCompanions, type CaptureCompanion } from './extension-points.ts'

/**
 * Return what areas above tell of the alarms of captures, all together.
 * @param scope in which the caller is shown alarms; null: nothing is told
 */
export async function alarmsByCompanions<Alarm>(
  extensions: Pick<Extensions, 'all'>,
  scope: Scope | null,
  ask: (companion: CaptureCompanion, scope: Scope) => Promise<ReadonlyMap<string, Alarm>> | undefined,
): Promise<Map<string, Alarm>> {
  if (scope === null) return new Map()
  const all = extensions.all(captureCompanions).map(async (companion) => (await ask(companion, scope)) ?? [])
  return new Map((await Promise.all(all)).flatMap((found) => [...found]))
}
