/** Writing down what a visitor did, before the visitor is told. */
import type { MachineEvent } from '@gatehouse/contract/device/visitor-machine'
import type { TerminalStore } from '../store/store.ts'

/** Return a function that writes an event down. On a full disk, pictures of passages give way. It returns whether the event is durable. */
export function createEventWriter(
  store: Pick<TerminalStore, 'visits' | 'keepRoom' | 'makeRoom'>,
  log: (sentence: string) => void,
): (event: MachineEvent) => boolean {
  return (event) => {
    try {
      store.keepRoom()
      try {
        store.visits.append(event)
      } catch {
        store.makeRoom()
        store.visits.append(event)
      }
      return true
    } catch (error) {
      log(`What a visitor did could not be written: ${error instanceof Error ? error.message : String(error)}. They are sent to the desk.`)
      return false
    }
  }
}
