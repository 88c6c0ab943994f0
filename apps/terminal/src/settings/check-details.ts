/**
 * The switch for check details: whether the screen shows how each decision came about, with similarity, match threshold and the single
 * checks. It is meant for technicians who set the terminal up. It is changed only at the terminal's own console, and stored in
 * `screen.json` of the data folder.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeWhole } from './whole-file.ts'

export interface CheckDetails {
  /** Return whether they are shown; false until switched on here. */
  shown(): boolean
  /** Set the switch; it is on the disk when this returns. @throws Error when it cannot be written; nothing has changed then */
  show(on: boolean): void
}

const FILE = 'screen.json'
const kept = z.object({ checkDetails: z.boolean() })

/**
 * Open the switch of a data folder. A file that cannot be read counts as off and is logged.
 * @param onChange called when it was switched
 */
export function openCheckDetails(
  folder: string,
  log: (sentence: string) => void = () => {},
  onChange: () => void = () => {},
): CheckDetails {
  const file = join(folder, FILE)
  let on = readSwitch(file, log)
  return {
    shown: () => on,
    show(next) {
      if (next === on) return
      writeWhole(file, JSON.stringify({ checkDetails: next } satisfies z.output<typeof kept>))
      on = next
      onChange()
    },
  }
}

function readSwitch(file: string, log: (sentence: string) => void): boolean {
  if (!existsSync(file)) return false
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8'))).checkDetails
  } catch {
    log(`${file} cannot be read: the screen shows no check details.`)
    return false
  }
}
