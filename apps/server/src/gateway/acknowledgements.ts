/** Acknowledgements to devices: for many messages stored together, a device is sent the highest number once. */
import type { z } from 'zod'
import type { acknowledgedMessage } from '@gatehouse/contract/device/protocol-records'

type Acknowledged = z.output<typeof acknowledgedMessage>

export interface Acknowledgements {
  add(code: string, epoch: string, ackSeq: number): void
  flush(): void
}

/** Create the collector of acknowledgements. @param send sends one to the device */
export function createAcknowledgements(send: (code: string, message: Acknowledged) => void): Acknowledgements {
  let waiting = new Map<string, { code: string; message: Acknowledged }>()
  let scheduled = false

  function flush(): void {
    scheduled = false
    const due = waiting
    waiting = new Map()
    for (const { code, message } of due.values()) send(code, message)
  }

  return {
    add(code, epoch, ackSeq) {
      const key = `${code}/${epoch}`
      const ackSeqBefore = waiting.get(key)?.message.ackSeq ?? 0
      waiting.set(key, { code, message: { epoch, ackSeq: Math.max(ackSeq, ackSeqBefore) } })
      if (scheduled) return
      scheduled = true
      setImmediate(flush)
    },
    flush,
  }
}
