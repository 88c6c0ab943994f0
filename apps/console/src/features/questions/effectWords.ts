/** What a change would do, in few words: the keys of its parts in the texts of `questions`, and their values. */
import type { Effect } from '@gatehouse/contract/questions/calls'

export type Direction = 'gain' | 'lose'
export interface EffectPart {
  what: Direction
  /** Persons. */
  count: number
  /** Names of the doors where most do. */
  doors: string[]
  /** Doors beside these. */
  more: number
}

/** Doors that are named. */
const NAMED = 2

/** Who gains and who loses, each with the doors it is most about; nothing where nobody does. */
export function effectParts(effect: Pick<Effect, Direction | 'devices' | 'deviceCount'>): EffectPart[] {
  return (['gain', 'lose'] as const).flatMap((what) => {
    if (effect[what] === 0) return []
    const doors = effect.devices.filter((door) => door[what] > 0).toSorted((one, other) => other[what] - one[what])
    // Of very many doors only some are told one by one.
    const untold = effect.deviceCount - effect.devices.length
    return [
      { what, count: effect[what], doors: doors.slice(0, NAMED).map(({ name }) => name), more: Math.max(0, doors.length - NAMED) + untold },
    ]
  })
}

/** Hours of minutes, a half shown as such. */
export const hoursOf = (minutes: number): number => Math.round(minutes / 6) / 10
