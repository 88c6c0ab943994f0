/** Sending of what visitors did, in order. An event stays stored until the server says what became of it. */
import { MACHINE_EVENTS_PER_CALL, visitorMachineCalls, type MachineEvent } from '@gatehouse/contract/device/visitor-machine'
import { failsOnThis, isMissing, type ServerClient } from '../device/server.ts'
import type { VisitStore } from '../store/visits.ts'

export interface EventSenderOptions {
  client: Pick<ServerClient, 'request'>
  visits: Pick<VisitStore, 'waiting' | 'settle'>
  clock: () => number
  log: (sentence: string) => void
  signal: AbortSignal
}

/** Return a function that sends all waiting events. It throws ServerAway or ServerRefused when the server cannot be told. */
export function createEventSender({ client, visits, clock, log, signal }: EventSenderOptions): () => Promise<void> {
  /** Events that the server cannot take by themselves; they are sent again after the next start. */
  const setAside = new Set<string>()

  async function send(events: MachineEvent[]): Promise<void> {
    const { results } = await client.request(visitorMachineCalls.events, { body: { sentAt: clock(), events } }, { signal })
    const sent = new Set(events.map(({ id }) => id))
    const settled = results.filter(({ id }) => sent.has(id))
    if (settled.length === 0) throw new Error('The server does not say what became of the events.')
    visits.settle(settled)
    const conflicts = settled.filter(({ outcome }) => outcome === 'conflict').length
    if (conflicts > 0) log(`${conflicts} events of visitors did not fit their visits: the desk is shown them.`)
  }

  async function sendAlone(event: MachineEvent): Promise<void> {
    try {
      await send([event])
    } catch (error) {
      if (isMissing(error) || !failsOnThis(error)) throw error
      setAside.add(event.id)
      log(`The server cannot take an event of a visitor (${(error as Error).message}); it is sent again after the next start.`)
    }
  }

  return async () => {
    for (;;) {
      const sendable = visits.waiting(MACHINE_EVENTS_PER_CALL + setAside.size).filter(({ id }) => !setAside.has(id))
      const events = sendable.slice(0, MACHINE_EVENTS_PER_CALL)
      if (events.length === 0) return
      try {
        await send(events)
      } catch (error) {
        if (isMissing(error) || !failsOnThis(error)) throw error
        // One that cannot be taken must not hold up those of other visitors.
        for (const event of events) await sendAlone(event)
      }
    }
  }
}
