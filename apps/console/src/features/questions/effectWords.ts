/** The effect of a change in few words: keys of the texts of `questions`, and their values. */
import type { Effect } from '@gatehouse/contract/questions/calls'

export type Direction = 'gain' | 'lose'
export interface EffectPart {
  what: Direction
  /** Number of persons. */
  count: number
  /** Names of the doors with most of them. */
  doors: string[]
  /** Number of other doors. */
  more: number
}

/** Doors listed by name. */
const NAMED = 2

/** Return the gains and the losses, each with its main doors; empty where nobody gains or loses. */
export function effectParts(effect: Pick<Effect, Direction | 'devices' | 'deviceCount'>): EffectPart[] {
  return (['gain', 'lose'] as const).flatMap((what) => {
    if (effect[what] === 0) return []
    const doors = effect.devices.filter((door) => door[what] > 0).toSorted((one, other) => other[what] - one[what])
    // Of very many doors the answer lists only some.
    const unlisted = effect.deviceCount - effect.devices.length
    return [
      {
        what,
        count: effect[what],
        doors: doors.slice(0, NAMED).map(({ name }) => name),
        more: Math.max(0, doors.length - NAMED) + unlisted,
      },
    ]
  })
}

/** Return minutes in hours, with one decimal. */
export const hoursOf = (minutes: number): number => Math.round(minutes / 6) / 10
