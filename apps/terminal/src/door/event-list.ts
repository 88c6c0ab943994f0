/**
 * Events at the door besides passages. The last ones are stored here, over restarts too, for the state and the terminal's own console; all
 * but the exit button are sent to the server, numbered.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DOOR_EVENT_KINDS, type DoorEventKind as SentKind } from '@gatehouse/contract/device/numbered'
import { z } from 'zod'
import type { ItemNumber } from '../device/numbered.ts'
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

const storedEvent = doorEvent.extend({
  /** Number under which its beginning is sent; absent where it is not sent. */
  number: z.object({ epoch: z.string(), seq: z.number() }).optional(),
})
type StoredEvent = z.output<typeof storedEvent>

const FILE = 'door-events.json'
const KEPT = 200

export interface EventListOptions {
  /** Data folder. */
  folder: string
  clock: () => number
  /**
   * Store the beginning of an event for the server, or the end of one.
   * @param beginning number of the beginning; null where the event begins
   * @returns its number; null where it is not sent
   * @throws when it cannot be written
   */
  report: (event: { kind: SentKind; at: number }, beginning: ItemNumber | null) => ItemNumber | null
  log: (sentence: string) => void
}

export interface EventList {
  /** Newest first. */
  events(): DoorEvent[]
  add(event: DoorEvent): void
  /** End the lasting events of a kind. */
  end(kind: DoorEventKind, at: number): void
}

const isSent = (kind: DoorEventKind): kind is DoorEventKind & SentKind => (DOOR_EVENT_KINDS as readonly string[]).includes(kind)

/**
 * Open the list of a data folder. What lasted when the terminal stopped is over: if it still lasts, it begins again. What cannot be read or
 * written affects the list, never the door.
 */
export function openEventList({ folder, clock, report, log }: EventListOptions): EventList {
  const file = join(folder, FILE)
  let events = read(file)

  function keep(next: StoredEvent[]): void {
    // What lasts is kept however much happens meanwhile: its end is to be sent.
    events = [...next.slice(0, KEPT), ...next.slice(KEPT).filter(({ endedAt }) => endedAt === null)]
    try {
      writeWhole(file, JSON.stringify(events))
    } catch (error) {
      log(`An event of the door could not be kept: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  /** @returns the number to be stored with the event */
  function sent({ kind, at }: DoorEvent, beginning: ItemNumber | null): { number?: ItemNumber } {
    if (!isSent(kind)) return {}
    try {
      const number = report({ kind, at }, beginning)
      return number === null || beginning !== null ? {} : { number }
    } catch (error) {
      log(`An event of the door could not be written for the server: ${error instanceof Error ? error.message : String(error)}`)
      return {}
    }
  }

  function end(isEnded: (event: StoredEvent) => boolean, at: number): void {
    const ending = events.filter((event) => event.endedAt === null && isEnded(event))
    if (ending.length === 0) return
    for (const { number, ...event } of ending) if (number) sent({ ...event, at }, number)
    keep(events.map((event) => (ending.includes(event) ? { ...event, endedAt: at } : event)))
  }

  end(() => true, clock())

  return {
    events: () => events.map(({ number: _, ...event }) => event),
    // Written for the server first: an event without its number here is one whose end is not sent.
    add: (event) => keep([{ ...event, ...sent(event, null) }, ...events]),
    end: (kind, at) => end((event) => event.kind === kind, at),
  }
}

function read(file: string): StoredEvent[] {
  try {
    return existsSync(file) ? z.array(storedEvent).parse(JSON.parse(readFileSync(file, 'utf8'))) : []
  } catch {
    return []
  }
}
