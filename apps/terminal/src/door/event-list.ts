/**
 * Events at the door besides passages. The device protocol carries passages only, so the last events are stored here, over restarts too,
 * for the state and the terminal's own console.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writeWhole } from '../settings/whole-file.ts'

const DOOR_EVENTS = ['exitButton', 'forced', 'heldOpen', 'fire', 'tamper'] as const
export type DoorEventKind = (typeof DOOR_EVENTS)[number]

const doorEvent = z.object({
  kind: z.enum(DOOR_EVENTS),
  /** Epoch milliseconds. */
  at: z.number(),
  /** End of the event; null while it lasts, equal to `at` for a momentary event. */
  endedAt: z.number().nullable(),
})
export type DoorEvent = z.output<typeof doorEvent>

const FILE = 'door-events.json'
const KEPT = 200

export interface EventList {
  /** Newest first. */
  events(): DoorEvent[]
  add(event: DoorEvent): void
  /** End the lasting events of a kind. */
  end(kind: DoorEventKind, at: number): void
}

/** Open the list of a data folder. What cannot be read or written affects the list, never the door. */
export function openEventList(folder: string, log: (sentence: string) => void): EventList {
  const file = join(folder, FILE)
  let events = read(file)

  function keep(next: DoorEvent[]): void {
    events = next.slice(0, KEPT)
    try {
      writeWhole(file, JSON.stringify(events))
    } catch (error) {
      log(`An event of the door could not be kept: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  return {
    events: () => events,
    add: (event) => keep([event, ...events]),
    end(kind, at) {
      if (events.some((event) => event.kind === kind && event.endedAt === null))
        keep(events.map((event) => (event.kind === kind && event.endedAt === null ? { ...event, endedAt: at } : event)))
    },
  }
}

function read(file: string): DoorEvent[] {
  try {
    return existsSync(file) ? z.array(doorEvent).parse(JSON.parse(readFileSync(file, 'utf8'))) : []
  } catch {
    return []
  }
}
