/**
 * Commands of the device protocol besides `controlDoor`: name, argument, what the answer's `result` holds. Whoever sends
 * one checks the answer, whoever takes one checks the argument; a device that does not know the name answers errorType 4.
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
  /** Ends and starts the program again; answered before. */
  restart: { argument: nothing, result: nothing },
  /** Compares what is held with what should be, at once. */
  synchronise: { argument: nothing, result: nothing },
  /** Share of processor, memory and disk in use; the device goes by these thresholds from now on. */
  resource: { argument: z.object({ thresholds: resourceThresholds.optional() }), result: resourceUsage },
  /** Sends the log under this request, gzipped, to `POST /log/{requestId}`; answered when it has been sent. */
  sendLog: { argument: z.object({ requestId: id }), result: nothing },
  /** There is an upgrade to fetch; answered before it begins. */
  upgrade: { argument: z.object({ taskId: id }), result: nothing },
  /** Waits for a card or a palm in front of the reader. A palm's picture is sent before, under `requestId`. */
  collect: {
    argument: z.object({ requestId: id, kind: z.enum(['card', 'palm']), timeoutMs: z.number().int().min(1000).max(60_000) }),
    result: z.object({ cardNumber: z.string().max(64).optional() }),
  },
  /** Passes APDUs to the card on the writer, in order; answers the responses, as hexadecimal digits. */
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
