/** Time: zone, clock, time server. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { instant } from '@gatehouse/contract'
import { TIME_ZONES } from '@gatehouse/contract/limits'
import { z } from 'zod'
import { ConsoleRefusal } from './answers.ts'
import { read, type ConsoleCalls } from './call.ts'
import { shownSettings } from './settings.ts'
import type { ClockWatch } from '../settings/clock-watch.ts'
import type { LocalSettings } from '../settings/local-settings.ts'

/** Set the clock of this machine. @throws when the machine does not allow it */
export type SetClock = (moment: number) => Promise<void>

/** The machine's own `date`, which needs the permission to set the clock. @param program its path */
export const machineClock =
  (program = 'date'): SetClock =>
  async (moment) => {
    await promisify(execFile)(program, ['--utc', '--set', new Date(moment).toISOString()])
  }

export interface TimeParts {
  settings: LocalSettings
  clock: () => number
  /** Zone whose time is shown, as `Intl` takes it; undefined before the server sent it. */
  zone: () => string | undefined
  timeServer: Pick<ClockWatch, 'state' | 'measure'>
  /** Null if the machine sets the clock itself. */
  setClock: SetClock | null
}

/** Milliseconds by which a clock may differ and still count as correct. */
const CLOSE = 500

export function timeCalls({ settings, clock, zone, timeServer, setClock }: TimeParts): ConsoleCalls {
  async function set(moment: number): Promise<void> {
    if (!setClock) throw new ConsoleRefusal('setTimeFailed', { why: { key: 'clockOfMachine' } })
    await setClock(moment).catch(() => Promise.reject(new ConsoleRefusal('setTimeFailed')))
  }

  return {
    'GET time': {
      run: () => ({
        ...shownSettings(settings),
        now: clock(),
        zone: zone() ?? null,
        zones: TIME_ZONES,
        timeServer: timeServer.state(),
        canSet: setClock !== null,
      }),
    },
    'POST time/set': {
      async run(request) {
        await set(read(request, z.object({ moment: instant })).moment)
        return { now: clock() }
      },
    },
    'POST time/synchronise': {
      async run() {
        const { offset } = await timeServer.measure().catch(() => Promise.reject(new ConsoleRefusal('timeServerFailed')))
        if (Math.abs(offset) > CLOSE) await set(clock() + offset)
        return { now: clock(), offset }
      },
    },
  }
}
