/** Announcements of a terminal's changes to its surroundings, its screen and programs, each of which is attached while it starts. */
import type { DoorState } from '../door/door.ts'
import type { Broadcast } from '../http/events.ts'
import type { Awaiting } from '../passage/decision.ts'
import type { Verdict } from '../passage/passage.ts'
import type { Surroundings } from '../settings/surroundings.ts'
import type { Disclosed } from './disclosed.ts'

export interface Announcements {
  /** The state changed. Changes within a short interval are announced together. */
  stateChanged(): void
  doorMoved(state: DoorState): void
  awaiting(awaiting: Awaiting | null): void
  verdict(verdict: Verdict): void
  picture(recordId: string, image: Uint8Array): void
  /** Call a function after further changes of the state. */
  follow(listener: () => void): void
  /** Announce all further changes to the surroundings. */
  toSurroundings(surroundings: Surroundings): void
  /** Announce all further changes to screens and programs, each as far as they may see them. */
  toScreens(broadcast: Broadcast, disclosed: Disclosed): void
  /** Drop the pending announcement, announce no further change, and close the streams of screens and programs. */
  stop(): void
}

/** Milliseconds within which changes of state are sent to the screen together. */
const COALESCE = 50

export function createAnnouncements(): Announcements {
  let surroundings: Surroundings | null = null
  let screens: { broadcast: Broadcast; disclosed: Disclosed } | null = null
  let timer: NodeJS.Timeout | undefined
  /** What is told of changes reads the store, which is closed soon after the stop. */
  let isStopped = false
  const followers: (() => void)[] = []

  function stateChanged(): void {
    if (timer || isStopped) return
    timer = setTimeout(() => {
      timer = undefined
      surroundings?.refresh()
      for (const follower of followers) follower()
      screens?.broadcast.send('state', screens.disclosed.state)
    }, COALESCE)
    timer.unref()
  }

  return {
    stateChanged,
    doorMoved: (state) => surroundings?.doorMoved(state),
    awaiting(awaiting) {
      surroundings?.somebody()
      screens?.broadcast.send('awaiting', () => awaiting)
    },
    verdict(verdict) {
      surroundings?.somebody()
      if (screens) {
        const { broadcast, disclosed } = screens
        broadcast.send('verdict', (holdsKey) => disclosed.verdict(disclosed.numbered(verdict), holdsKey))
      }
      stateChanged()
    },
    picture(recordId, image) {
      const picture = { recordId, image: `data:image/webp;base64,${Buffer.from(image).toString('base64')}` }
      screens?.broadcast.send('picture', () => picture)
    },
    follow: (listener) => void followers.push(listener),
    toSurroundings(next) {
      surroundings = next
    },
    toScreens(broadcast, disclosed) {
      screens = { broadcast, disclosed }
    },
    stop() {
      isStopped = true
      clearTimeout(timer)
      screens?.broadcast.close()
      screens = null
    },
  }
}
