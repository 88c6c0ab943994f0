/** Where devices stand on the plan of the park. */
import type { DataOf, OutputOf } from '@gatehouse/contract'
import type { DevicePosition, faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './map-data.ts'
import type { SearchDependencies } from './search-types.ts'

type Calls = typeof faceSearchCalls

export interface MapPositions {
  read(scope: Scope): Promise<DataOf<Calls['positions']>>
  /** @throws NotFound for a device that the caller may not see; InvalidRequest for half a position, or a device named twice */
  save(scope: Scope, body: OutputOf<Calls['savePositions']['body']>): Promise<DataOf<Calls['savePositions']>>
  forgetDevices(scope: Scope, deviceIds: readonly string[]): Promise<void>
}

const ENTITY = 'mapPosition'

export function createMapPositions(platform: Platform, { devices, plan }: Pick<SearchDependencies, 'devices' | 'plan'>): MapPositions {
  const { db, audit } = platform
  const isPlaced = (position: { deviceId: string; x: number | null; y: number | null }): position is DevicePosition =>
    position.x !== null && position.y !== null

  return {
    async read(scope) {
      const [positions, version] = await Promise.all([data.listPositions(scope, db), data.readVersion(scope, db)])
      const names = await devices.names(
        scope,
        positions.map(({ deviceId }) => deviceId),
      )
      const nameOf = new Map(names.map(({ id, name }) => [id, name]))
      return {
        ...plan(scope),
        devices: positions.flatMap((position) => {
          const deviceName = nameOf.get(position.deviceId)
          return deviceName === undefined ? [] : [{ ...position, deviceName }]
        }),
        version,
      }
    },
    async save(scope, { devices: positions }) {
      const half = positions.findIndex(({ x, y }) => (x === null) !== (y === null))
      if (half >= 0) throw new InvalidRequest([{ path: `devices.${half}.${positions[half]!.x === null ? 'x' : 'y'}`, rule: 'required' }])
      const ids = positions.map(({ deviceId }) => deviceId)
      const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index)
      if (twice >= 0) throw new InvalidRequest([{ path: `devices.${twice}.deviceId`, rule: 'duplicate' }])
      const names = new Map((await devices.names(scope, ids)).map(({ id, name }) => [id, name]))
      if (names.size < ids.length) throw new NotFound()
      return platform.transaction(async (tx) => {
        const version = await data.advanceVersion(scope, tx)
        const before = new Map((await data.listPositions(scope, tx)).map(({ deviceId, x, y }) => [deviceId, { x, y }]))
        const placed = positions.filter(isPlaced).map(({ deviceId, x, y }) => ({ deviceId, x, y }))
        await data.savePositions(scope, tx, placed)
        const removed = positions.filter((position) => !isPlaced(position)).map(({ deviceId }) => deviceId)
        await data.deletePositions(scope, tx, removed)
        for (const position of positions) {
          const { deviceId, x, y } = position
          const after = isPlaced(position) ? { x, y } : null
          audit.note({ entity: ENTITY, id: deviceId, label: names.get(deviceId)!, before: before.get(deviceId) ?? null, after })
        }
        return { version }
      })
    },
    async forgetDevices(scope, deviceIds) {
      await platform.transaction((tx) => data.deletePositions(scope, tx, deviceIds))
    },
  }
}
