/**
 * Commands of the device protocol besides `controlDoor`: name, argument, and `result` of the answer. The sender of a command checks the
 * answer, the receiver checks the argument; a device that does not know the name answers errorType 4.
 */
import { z } from 'zod'
import { resourceThresholds, resourceUsage } from '../maintenance/resources.ts'
import { id } from './id.ts'

interface Definition {
  argument: z.ZodType<Record<string, unknown>>
  result: z.ZodType<Record<string, unknown>>
}

const nothing = z.object({})

export const deviceCommands = {
  /** Restart the program; answered before it stops. */
  restart: { argument: nothing, result: nothing },
  /** Compare the stored state with the expected one at once. */
  synchronise: { argument: nothing, result: nothing },
  /** Return the usage of processor, memory and disk; from then on the device uses these thresholds. */
  resource: { argument: z.object({ thresholds: resourceThresholds.optional() }), result: resourceUsage },
  /** Send the log for this request, gzipped, to `POST /log/{requestId}`; answered after it was sent. */
  sendLog: { argument: z.object({ requestId: id }), result: nothing },
  /** Fetch an upgrade; answered before it starts. */
  upgrade: { argument: z.object({ taskId: id }), result: nothing },
  /** Wait for a card or a palm in front of the reader. The picture of a palm is sent before the answer, under `requestId`. */
  collect: {
    argument: z.object({ requestId: id, kind: z.enum(['card', 'palm']), timeoutMs: z.number().int().min(1000).max(60_000) }),
    result: z.object({ cardNumber: z.string().max(64).optional() }),
  },
  /** Send APDUs to the card on the writer, in order; the answer contains the responses as hexadecimal digits. */
  transmit: {
    argument: z.object({
      apdus: z
        .array(z.string().regex(/^([0-9A-F]{2})+$/))
        .min(1)
        .max(64),
    }),
    result: z.object({ responses: z.array(z.string().max(1024)) }),
  },
} as const satisfies Record<string, Definition>
export type DeviceCommandName = keyof typeof deviceCommands
export type DeviceCommandArgument<Name extends DeviceCommandName> = z.input<(typeof deviceCommands)[Name]['argument']>
export type DeviceCommandResult<Name extends DeviceCommandName> = z.output<(typeof deviceCommands)[Name]['result']>
