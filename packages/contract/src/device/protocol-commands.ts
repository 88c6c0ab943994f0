/** Commands to a device and their answers. */
import { z } from 'zod'
import { id } from './id.ts'

/**
 * `controlDoor` has `operateType`, other commands an `argument`: see `commands.ts`. A name that the device does not know is answered with
 * errorType 4. A repeated command is answered, but not executed again.
 */
export const commandMessage = z.object({
  id,
  name: z.string().max(64),
  operateType: z.number().int().optional(),
  argument: z.record(z.string(), z.unknown()).optional(),
})
export type CommandMessage = z.output<typeof commandMessage>
/** `errorType` as for `controlDoor`: 2 and 3 business error, 4 error. `result`: the requested data of the command. */
export const answerMessage = z.object({
  id,
  isSuccess: z.boolean(),
  errorType: z.number().int().nullable(),
  result: z.record(z.string(), z.unknown()).optional(),
})
export type AnswerMessage = z.output<typeof answerMessage>
