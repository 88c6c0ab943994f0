/** Settings of a park's map. */
import { z } from 'zod'
import { mapCalls, mapFields, type MapSettings } from '@gatehouse/contract/system/map'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { defineSetting, type Settings } from '../organisation/index.ts'
import { createParkPicture } from './screens-pictures.ts'

const stored = mapFields.omit({ picture: true }).extend({ pictureId: z.string().nullable() })
const setting = defineSetting<z.output<typeof stored>>('system.map', stored, {
  pictureId: null,
  pictureMetres: null,
  latitude: null,
  longitude: null,
  zoom: 16,
  units: 'metric',
  marker: null,
})

/** The plan of a park. */
export interface ParkPlan {
  /** Signed address; empty: there is none. */
  picture: string
  /** Width of the area on it in metres; null: unknown. */
  pictureMetres: number | null
}

/** Return a function that returns the plan of a park. */
export function createParkPlan(platform: Platform, settings: Settings): (scope: Scope) => ParkPlan {
  const plan = createParkPicture(platform)
  return (scope) => {
    const { pictureId, pictureMetres } = settings.read(scope.parkId, setting)
    return { picture: plan.address(scope, pictureId), pictureMetres }
  }
}

export function mapHandlers(platform: Platform, settings: Settings): MountedCall[] {
  const plan = createParkPicture(platform)

  function show(scope: Scope): MapSettings {
    const { pictureId, secretsSet: _none, ...shown } = settings.show(scope.parkId, setting)
    return { ...shown, picture: plan.address(scope, pictureId) }
  }

  return [
    handler(mapCalls.read, async ({ scope }) => show(scope)),
    handler(mapCalls.change, async ({ scope, body: { version, picture, ...change } }) => {
      const { pictureId: before, ...current } = settings.read(scope.parkId, setting)
      const fields = leftAsItWas(current, change)
      // Latitude and longitude are set together.
      if ((fields.latitude === null) !== (fields.longitude === null))
        throw new InvalidRequest([{ path: fields.latitude === null ? 'latitude' : 'longitude', rule: 'required' }])
      const pictureId = picture === undefined ? before : await plan.fileOf(scope, picture, 'picture')
      // A marker belongs to the plan it was set on.
      const marker = pictureId === null ? null : fields.marker
      await plan.exchange(scope, before, pictureId, () => settings.write(scope.parkId, setting, { ...fields, marker, pictureId }, version))
      return show(scope)
    }),
  ]
}
