/** Count of the persons whom access rules name at a device, before any of them are sent to it. */
import type { Platform } from '../../platform/context.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { QuestionDependencies } from './dependencies.ts'
import { type DeviceStrategies } from '../strategies/index.ts'
import { createStandingReader, entitled } from '../synchronisation/index.ts'

/** @throws NotFound */
export type PersonsNamed = (scope: Scope, deviceId: string) => Promise<number>

export function createPersonsNamed(
  platform: Platform,
  needs: QuestionDependencies,
  { idsAt }: Pick<DeviceStrategies, 'idsAt'>,
): PersonsNamed {
  const standings = createStandingReader(platform, needs)
  return async (scope, deviceId) => {
    const strategyIds = await idsAt(scope, deviceId)
    if (strategyIds === null) throw new NotFound()
    const { strategies, persons } = await standings.now(scope)
    const naming = strategyIds.flatMap((id) => strategies.get(id) ?? [])
    const named = await persons({
      ids: new Set(naming.flatMap(({ personIds }) => personIds)),
      groupIds: new Set(naming.flatMap(({ groupIds }) => [...groupIds])),
    })
    return entitled(named, platform.clock.now()).length
  }
}
