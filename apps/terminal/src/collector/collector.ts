/** Carries out `collect` and `transmit`: waits for what is shown to a reader, and passes commands to a card. */
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { CommandRefused, type CommandHandlers } from '../device/commands.ts'
import { ServerRefused, type ServerClient } from '../device/server.ts'
import type { CollectorReaders } from './readers.ts'

export interface CollectorOptions {
  readers: CollectorReaders
  client: () => Pick<ServerClient, 'request'>
  log: (sentence: string) => void
}

type Waited = Pick<Required<CommandHandlers>, 'collect' | 'transmit'>

/** Only the latest wait goes on: whoever asked before has gone. */
export function createCollector({ readers, client, log }: CollectorOptions): Waited {
  let latest = new AbortController()

  /** Says in words what a code alone cannot. */
  function refuse(sentence: string): never {
    log(sentence)
    throw new CommandRefused(sentence)
  }

  /** Whether the server took the picture; one that is none is waited for again. */
  async function isTaken(id: string, picture: Uint8Array, signal: AbortSignal): Promise<boolean> {
    try {
      await client().request(cardCalls.sendPalm, { params: { id } }, { file: new Blob([Buffer.from(picture)]), signal })
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
      for (let picture = await reader.read(signal); picture !== null; picture = await reader.read(signal))
        if (await isTaken(requestId, picture, signal)) break
      return {}
    },
    async transmit({ apdus }) {
      const port = readers.port ?? refuse('A card was to be written, and this terminal has no card writer.')
      return { responses: await port.transmit(apdus) }
    },
  }
}
