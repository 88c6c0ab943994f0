/** Commands `collect` and `transmit`: wait for something to be presented to a reader, and pass commands to a card. */
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { CommandRefused, type CommandHandlers } from '../device/commands.ts'
import { ServerRefused, type ServerClient } from '../device/server.ts'
import type { CollectorReaders, PresentedPalm } from './readers.ts'

export interface CollectorOptions {
  readers: CollectorReaders
  client: () => Pick<ServerClient, 'request'>
  log: (sentence: string) => void
}

type Waited = Pick<Required<CommandHandlers>, 'collect' | 'transmit'>

/** Return the handlers. Only the latest wait continues, because the caller of an earlier one has left. */
export function createCollector({ readers, client, log }: CollectorOptions): Waited {
  let latest = new AbortController()

  /** Log in words what the answer's code alone cannot say, and refuse the command. */
  function refuse(sentence: string): never {
    log(sentence)
    throw new CommandRefused(sentence)
  }

  /** Return whether the server accepted the palm; after one it refused, the next is awaited. */
  async function isTaken(id: string, { picture, template }: PresentedPalm, signal: AbortSignal): Promise<boolean> {
    const body = template === null ? {} : { template }
    try {
      await client().request(cardCalls.sendPalm, { params: { id }, body }, { file: new Blob([Buffer.from(picture)]), signal })
      return true
    } catch (error) {
      if (!(error instanceof ServerRefused)) throw error
      log(`The server does not take the picture of the palm (${error.message}).`)
      return false
    }
  }

  return {
    async collect({ requestId, kind, timeoutMs }) {
      latest.abort()
      latest = new AbortController()
      const signal = AbortSignal.any([latest.signal, AbortSignal.timeout(timeoutMs)])
      if (kind === 'card') {
        const reader = readers.card ?? refuse('A card was asked for, and this terminal has no card reader.')
        const cardNumber = await reader.read(signal)
        return cardNumber === null ? {} : { cardNumber }
      }
      const reader = readers.palm ?? refuse('A palm was asked for, and this terminal has no palm reader.')
      for (let palm = await reader.read(signal); palm !== null; palm = await reader.read(signal))
        if (await isTaken(requestId, palm, signal)) break
      return {}
    },
    async transmit({ apdus }) {
      const port = readers.port ?? refuse('A card was to be written, and this terminal has no card writer.')
      return { responses: await port.transmit(apdus) }
    },
  }
}
